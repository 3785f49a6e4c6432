import type { CallAddress, PageCallName } from './paths.ts'

/** Every call that pages do not make: those of monitors, of developers and of beacons. Pages do not load them. */
export const OPERATION_ADDRESSES = {
  getHealth: { method: 'GET', path: '/healthz', access: 'anyone', base: '' },
  getReadiness: { method: 'GET', path: '/readyz', access: 'anyone', base: '' },
  getMetrics: { method: 'GET', path: '/metrics', access: 'anyone', base: '', produces: 'text/plain' },
  getVersion: { method: 'GET', path: '/version', access: 'anyone' },
  getOpenApi: { method: 'GET', path: '/openapi.json', access: 'optional' },
  getReferencePage: { method: 'GET', path: '/api/docs', access: 'anyone', base: '', produces: 'text/html' },
  getReferenceStyle: { method: 'GET', path: '/api/docs.css', access: 'anyone', base: '', produces: 'text/css' },
  submitBeaconRound: { method: 'POST', path: '/fairness/beacon', access: 'optional' },
  getBeaconInfo: { method: 'GET', path: '/fairness/beacon/{hash}/info', access: 'optional' },
  getBeaconRound: { method: 'GET', path: '/fairness/beacon/{hash}/public/{round}', access: 'optional' },
  getOperations: { method: 'GET', path: '/fairness/operations', access: 'optional' },
  getClock: { method: 'GET', path: '/dev/clock', access: 'demo' },
  setLightning: { method: 'POST', path: '/dev/lightning', access: 'demo' },
} as const satisfies Record<string, CallAddress>

/** The name of a call in the routes, the OpenAPI operations and the tests. */
export type CallName = PageCallName | keyof typeof OPERATION_ADDRESSES
