import type { Dialect } from '../contract/dialect.ts';

/** What a provider's schema language can say. Source: cases/json-schema/provider-limits.json, autumn 2026. */
export type DialectRules = {
  /** `null` in the type list, or OpenAPI's `nullable`. */
  nulls: 'list' | 'nullable';
  refs: 'keep' | 'inline';
  /** Unions and conditions at the root are refused. */
  plainRoot: boolean;
  /** `oneOf` must become `anyOf`. */
  oneOf: 'keep' | 'anyOf';
  /** Tuples become arrays of any of their items. */
  tuples: 'keep' | 'any';
  /** A schema without a type must name the types it may have. */
  typed: boolean;
  enums: 'any' | 'strings';
  /** Keywords that may stay; all of JSON Schema where null. */
  keywords: ReadonlySet<string> | null;
  formats: ReadonlySet<string> | null;
  propertyNames: RegExp | null;
  /** Characters of one description. */
  descriptionLimit: number;
  /** Every object closed and every property required. */
  strict: boolean;
};

const words = (text: string) => new Set(text.split(' '));
/** OpenAPI's and authors' own words, which some providers refuse and none reads. */
export const foreignKeywords = words(
  'example xml discriminator externalDocs readOnly writeOnly deprecated $comment $id $schema $anchor $dynamicAnchor',
);

const open: DialectRules = {
  nulls: 'list',
  refs: 'keep',
  plainRoot: false,
  oneOf: 'keep',
  tuples: 'keep',
  typed: false,
  enums: 'any',
  keywords: null,
  formats: null,
  propertyNames: null,
  descriptionLimit: 4_000,
  strict: false,
};
const openai: DialectRules = { ...open, plainRoot: true, tuples: 'any', descriptionLimit: 1_024 };

export const dialectRules: Readonly<Record<Dialect, DialectRules>> = {
  plain: open,
  openai,
  deepseek: { ...openai, refs: 'inline' },
  'openai-strict': {
    ...openai,
    oneOf: 'anyOf',
    typed: true,
    strict: true,
    keywords: words(
      '$ref $defs definitions type title description enum const anyOf properties required additionalProperties items ' +
        'minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern format',
    ),
    formats: words('date-time time date duration email hostname ipv4 ipv6 uuid'),
  },
  anthropic: { ...open, plainRoot: true, refs: 'inline', propertyNames: /^[a-zA-Z0-9_.-]{1,64}$/ },
  gemini: {
    ...open,
    plainRoot: true,
    refs: 'inline',
    nulls: 'nullable',
    oneOf: 'anyOf',
    tuples: 'any',
    typed: true,
    enums: 'strings',
    keywords: words(
      'type format title description nullable enum items minItems maxItems properties required minProperties ' +
        'maxProperties minimum maximum minLength maxLength pattern anyOf propertyOrdering default',
    ),
    formats: words('enum date-time float double int32 int64'),
  },
};
