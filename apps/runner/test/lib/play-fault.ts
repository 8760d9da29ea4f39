import type { SessionEvent, StoredEvent } from '@oneslot/core';
import { makeScript, oneslotAdapter, type ScriptedModel, type ScriptedReport } from './scripted-server.ts';
import {
  eventsOf,
  importScenarioWorkspace,
  newSession,
  resultsOf,
  send,
  type World,
  waitFor,
} from './session-world.ts';

type Of<K extends SessionEvent['kind']> = Extract<SessionEvent, { kind: K }>;

/** One conversation with a fault in it, as people, the model and the disk saw it. */
export type Played = {
  events: StoredEvent[];
  end: Of<'turn-finished'>;
  results: Of<'call-finished'>['result'][];
  plans: Of<'call-planned'>[];
  notices: Of<'notice-added'>[];
  /** What people read, message by message. */
  texts: string[];
  /** Files the calls left behind. */
  markers: string[];
  requests: ScriptedReport['requests'];
  /** What the model read in answer to its calls. */
  told: { id: string; text: string; bytes: number }[];
  of<K extends SessionEvent['kind']>(kind: K): Of<K>[];
};

export async function playFault(world: World, model: ScriptedModel, name: string): Promise<Played> {
  const sessionId = await newSession(world, 'autopilot');
  await importScenarioWorkspace(world, sessionId);
  const id = `fault-${name}`;
  model.load(id, { ...(await makeScript(name, '/workspace')), adapter: oneslotAdapter });
  await send(world, sessionId, `Play the script. conv=${id}`);
  const end = await waitFor(world, sessionId, 'turn-finished');
  const events = await eventsOf(world, sessionId);
  const of = <K extends SessionEvent['kind']>(kind: K) =>
    events.flatMap(({ event }) => (event.kind === kind ? [event as Of<K>] : []));
  const files = await world.wired.services.sandboxes.listFiles(sessionId, '.');
  const { requests } = model.report(id);
  return {
    events,
    end,
    results: resultsOf(events),
    plans: of('call-planned'),
    notices: of('notice-added'),
    texts: of('step-completed').map((step) => step.text),
    markers: files.map((file) => file.path).filter((path) => path.includes('marker')),
    requests,
    told: requests.flatMap((request) => request.results ?? []),
    of,
  };
}
