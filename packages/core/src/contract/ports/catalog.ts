export type CatalogEntry = {
  name: string;
  family: string;
  blurb: string;
  requiredParameters: string[];
  resident: boolean;
};
export type CatalogPort = {
  search(query: string, options: { limit: number; family?: string }): CatalogEntry[];
  select(names: readonly string[]): { found: CatalogEntry[]; missing: { name: string; nearest: string[] }[] };
  families(): { family: string; count: number }[];
  /** Appends definitions behind the resident block from the next step on. */
  activate(names: readonly string[]): void;
};
