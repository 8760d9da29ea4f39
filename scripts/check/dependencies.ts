type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };

const exact = /^(\d+\.\d+\.\d+[\w.-]*|workspace:\*|catalog:)$/;

/** Every package a manifest names has an exact version and a line in the decision record that lists them. */
export function checkDependencies(manifests: ReadonlyMap<string, string>, record: string): string[] {
  return [...manifests].flatMap(([path, text]) => {
    const { dependencies = {}, devDependencies = {} }: Manifest = JSON.parse(text);
    return Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, version]) => {
      const problems = exact.test(version) ? [] : [`${path}: ${name} is "${version}", not one exact version`];
      if (name.startsWith('@oneslot/') || record.includes(`\`${name}\``)) return problems;
      return [...problems, `${path}: ${name} has no line in docs/decisions/0007-dependencies.md`];
    });
  });
}
