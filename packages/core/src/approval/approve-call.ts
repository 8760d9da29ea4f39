/** Placeholder of the first path: nothing that must be asked about gets here yet. */
export async function approveCall(): Promise<void> {}
