export { activateTools, activeMetadata } from './catalog/activate-tools.ts';
export { adoptExternal, type ExternalTool } from './catalog/adopt-external.ts';
export { failClosedTool } from './catalog/fail-closed-tool.ts';
export { type LoadedTools, type LoadFailure, loadTools, type ToolListing } from './catalog/load-tools.ts';
export { type Catalog, type CatalogProblem, registerTools } from './catalog/register-tools.ts';
export { type SanitizedSchema, sanitizeSchema } from './catalog/sanitize-schema.ts';
export { entryOf, indexCatalog, type SearchIndex, searchCatalog } from './catalog/search-catalog.ts';
export { type CatalogSnapshot, snapshotCatalog } from './catalog/snapshot-catalog.ts';
export { defineTool } from './contract/define-tool.ts';
export type { ErrorCode, HostErrorCode, ToolErrorDetails } from './errors.ts';
export { errorCodes, HostError, ToolError } from './errors.ts';
export { type FieldMapping, mapFields, renameAliasFields } from './repair/map-fields.ts';
export {
  type RepairedArguments,
  type RepairReason,
  repairArguments,
  type SalvagePolicy,
} from './repair/repair-arguments.ts';
export { type NameRepair, repairToolName } from './repair/repair-tool-name.ts';
export { didYouMean, suggestNames } from './repair/suggest-names.ts';
export { readStream, type StreamHandlers, type StreamOutcome } from './turn/read-stream.ts';
export { type ForgeryStripper, stripForgedCalls } from './turn/strip-forged-calls.ts';
