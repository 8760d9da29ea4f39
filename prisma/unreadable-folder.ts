/** The embedded database would not open; `next` is what the operator can do about it. */
export class UnreadableFolderError extends Error {
  override readonly name = 'UnreadableFolderError';
  readonly next: string;

  constructor(folder: string, cause: unknown) {
    super(
      `The embedded database in ${folder} could not be opened, most often because files in it are missing or damaged. ` +
        'No data in it was changed.',
      { cause },
    );
    this.next =
      'Put a copy of the whole data folder back in its place and start again. To start empty instead, move ' +
      `${folder} away (do not delete it: it may still be rescued); every account and session then begins anew.`;
  }
}
