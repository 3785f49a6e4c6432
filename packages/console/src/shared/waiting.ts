import { useRead } from './api.ts'
import type { Me, SignedRequest } from './calls.ts'
import { useMe } from './session.ts'

/** Passkeys that a person registers before a signature of theirs counts. */
export const KEYS_NEEDED = 2

/** Whether this person is the only one of the staff, and so gives the second signature too, with another passkey. */
function useIsAlone(): boolean {
  const me = useMe()
  const { data: people = [] } = useRead('listStaff')
  const enrolled = people.filter(({ keys, disabled_at }) => keys >= KEYS_NEEDED && disabled_at === null)
  return enrolled.length === 1 && enrolled[0]?.id === me.id
}

/** @returns whether a request waits for the signature of the person in front of the page */
export function useWaitsForMe(): (request: SignedRequest) => boolean {
  const me = useMe()
  const isAlone = useIsAlone()
  return (request) => waitsFor(me, isAlone, request)
}

function waitsFor(me: Me, isAlone: boolean, request: SignedRequest): boolean {
  if (request.state !== 'proposed' || request.needs.signatures < 2) return false
  if (request.proposed_by?.id === me.id) return isAlone
  return request.needs.roles.some((role) => me.roles.includes(role))
}
