// The application, and what its answers always have. A public face of the package, for trials alone.
export { DEVICE_COOKIE } from '../src/http/device-cookie.ts'
export { API_POLICY } from '../src/http/security-headers.ts'
export type { SignedIn } from '../src/kernel/caller.ts'
export { CodedRefusal, Refused, Unauthorized, Unreachable } from '../src/kernel/errors.ts'
export { createApplication } from '../src/main/app.ts'
