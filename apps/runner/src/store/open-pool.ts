/** By itself, without the rest of the store: the database opens while that is still being loaded. */
export { type OpenPool, openPool } from '@oneslot/db/pool';
