export type Facility = 'docker' | 'postgres' | 'chromium' | 'bubblewrap';

/** Whether the machine has it, as the test script probed once and handed on; a suite never probes itself. */
export function has(facility: Facility): boolean {
  return (process.env.ONESLOT_HAS ?? '').split(',').includes(facility);
}
