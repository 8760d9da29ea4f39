/** Told in the greeting; the image carries the agent it was built with. */
export const agentVersion = '0.1.0';
