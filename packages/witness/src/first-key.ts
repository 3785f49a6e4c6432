import { readLogged } from '@fairball/domain/fairness/log'
import type { Suspicion } from './alarms.ts'
import { fingerprintOfKey, matchesKey } from './operator-key.ts'
import type { Teller } from './teller.ts'

/**
 * Judges the key that a log begins with, before anything of it is kept, and tells whose log it is. A log that begins with
 * another key than the one that was named is not followed at all.
 *
 * @param note the first note of the log; one that is no beginning is passed over: it is not kept either
 * @param named public key or fingerprint, 64 digits of hex; null takes the key as it was served
 */
export function judgeFirstKey(
  note: string | undefined,
  { named, teller }: { named: string | null; teller: Teller },
): Suspicion | null {
  const first = note === undefined ? '' : readLogged(note)
  if (note === undefined || typeof first === 'string' || first.statement.type !== 'log') return null
  const { key, operator } = first.statement
  const fingerprint = fingerprintOfKey(key)
  if (named !== null && !matchesKey(key, named)) {
    return {
      kind: 'key',
      key: `key:${key}`,
      text: `The log begins with another key than the one you named: ${key}, fingerprint ${fingerprint}.`,
      duration: 'while-so',
      seq: 0,
      evidence: { fork: null, notes: [note] },
    }
  }
  teller.say('operator', `The operator of this log is ${operator}, key ${key}, fingerprint ${fingerprint}.`)
  if (named === null) {
    teller.warn(
      'first-key',
      'The key is taken as it was served. Compare its fingerprint with another source, or name it with --key.',
    )
  }
  return null
}
