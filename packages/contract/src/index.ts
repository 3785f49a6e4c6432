/**
 * The public entry of the contract. Inside the project import the file itself; the client alone is
 * `@fairball/contract/client`.
 */
export { calls } from './calls.ts'
export type * from './calls.ts'
export { checkInput } from './check-input.ts'
export { ApiError, createClient } from './client.ts'
export { HTTP_STATUS } from './http-status.ts'
export { openApiDocument } from './openapi.ts'
export { referencePage } from './reference-page.ts'
