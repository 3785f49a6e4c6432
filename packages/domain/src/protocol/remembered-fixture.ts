import type * as beacon from './beacon.ts'
import type * as ed25519 from './ed25519.ts'

/** For tests that check the same signatures thousands of times: each is computed once, and only changed ones are new. */

export function rememberSignatures(original: typeof ed25519): typeof ed25519 {
  return { ...original, isSigned: remembered(original.isSigned) }
}

/** The same for rounds of beacons. */
export function rememberRounds(original: typeof beacon): typeof beacon {
  return { ...original, isRoundSigned: remembered(original.isRoundSigned) }
}

function remembered<Parts extends unknown[]>(check: (...parts: Parts) => boolean): (...parts: Parts) => boolean {
  const answers = new Map<string, boolean>()
  return (...parts) => {
    const key = parts.map((part) => (part instanceof Uint8Array ? String(part) : JSON.stringify(part))).join(' ')
    const answer = answers.get(key) ?? check(...parts)
    answers.set(key, answer)
    return answer
  }
}
