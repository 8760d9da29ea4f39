import pg from 'pg';

const retryMs = 500;

/**
 * Hears NOTIFY on its own connection, for ever: a lost one is opened again. `onMessage` gets null after a gap,
 * when anything may have been missed. Returns the end of listening.
 */
export async function listen(
  databaseUrl: string,
  channel: string,
  onMessage: (payload: string | null) => void,
): Promise<() => Promise<void>> {
  const state: { client: pg.Client | null; closed: boolean; timer: NodeJS.Timeout | null } = {
    client: null,
    closed: false,
    timer: null,
  };

  async function open(): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
    client.on('notification', (message) => onMessage(message.payload ?? ''));
    client.on('error', (error) => console.error(`database: the listening connection broke: ${error.message}`));
    client.on('end', () => retry());
    state.client = client;
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  }

  function retry(): void {
    if (state.closed || state.timer) return;
    state.timer = setTimeout(() => {
      state.timer = null;
      open().then(
        () => onMessage(null),
        (error: Error) => {
          console.error(`database: cannot listen yet: ${error.message}`);
          retry();
        },
      );
    }, retryMs);
  }

  await open();
  return async () => {
    state.closed = true;
    if (state.timer) clearTimeout(state.timer);
    await state.client?.end();
  };
}
