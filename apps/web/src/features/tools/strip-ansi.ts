// CSI, OSC (ended by BEL or ST), other two-byte escapes, and the C1 form of CSI.
const sequences = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u009b[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
);
// What is left of control characters has no picture.
const controls = /(?![\t\n])\p{Cc}/gu;

/** Output of programs as text: colours are dropped, a line that was drawn over keeps its last state. */
export function stripAnsi(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .join('\n')
    .replace(controls, '');
}
