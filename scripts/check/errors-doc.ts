const row = /^\| `(\w+)` \| (.+?) \| (.+?) \|$/;

/** docs/errors.md has one row per code of the table in core, in its order, with its words and a remedy. */
export function checkErrorsDoc(doc: string, codes: Readonly<Record<string, string>>): string[] {
  const rows = doc.split('\n').flatMap((line) => {
    const [, code, meaning, remedy] = row.exec(line) ?? [];
    return code && meaning && remedy ? [{ code, meaning, remedy }] : [];
  });
  const problems = Object.entries(codes).flatMap(([code, meaning]) => {
    const found = rows.find((one) => one.code === code);
    if (!found) return [`docs/errors.md: the code ${code} is missing`];
    return found.meaning === meaning
      ? []
      : [`docs/errors.md: ${code} reads "${found.meaning}", errors.ts says "${meaning}"`];
  });
  const extra = rows
    .filter(({ code }) => !Object.hasOwn(codes, code))
    .map(({ code }) => `docs/errors.md: ${code} is not a code of errors.ts`);
  const order =
    rows.map(({ code }) => code).join() === Object.keys(codes).join()
      ? []
      : ['docs/errors.md: the rows do not stand in the order of errors.ts'];
  return [...problems, ...extra, ...(problems.length + extra.length === 0 ? order : [])];
}
