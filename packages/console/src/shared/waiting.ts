import type { Me, SignedRequest } from './calls.ts'

/** Whether a request waits for the signature of a person: proposed by another, who has a role for the second one. */
export function waitingFor(me: Me, request: SignedRequest): boolean {
  if (request.state !== 'proposed' || request.needs.signatures < 2) return false
  return request.proposed_by?.id !== me.id && request.needs.roles.some((role) => me.roles.includes(role))
}
