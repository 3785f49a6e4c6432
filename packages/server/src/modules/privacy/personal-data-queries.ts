import { nullable, sql, t } from '../../db/sql.ts'
import { keyPurpose } from '../identity/service.ts'

export const exportSecurityAnswer = sql({
  name: 'accounts.export-security-answer',
  text: 'select question_id, updated_at from security_answers where player_id = $1',
  params: [t.bigint],
  row: { questionId: t.int, updatedAt: t.epochSeconds },
})

export const exportRecoveryCodes = sql({
  name: 'accounts.export-recovery-codes',
  text: 'select used_at from recovery_codes where player_id = $1 order by used_at nulls last',
  params: [t.bigint],
  row: { usedAt: nullable(t.epochSeconds) },
})

export const exportKeys = sql({
  name: 'accounts.export-keys',
  text: `select purpose, created_at, expires_at, used_at, email as sent_to from player_keys
    where player_id = $1 order by created_at, purpose`,
  params: [t.bigint],
  row: {
    purpose: keyPurpose,
    createdAt: t.epochSeconds,
    expiresAt: t.epochSeconds,
    usedAt: nullable(t.epochSeconds),
    sentTo: nullable(t.text),
  },
})

export const exportWaitingNotices = sql({
  name: 'accounts.export-waiting-notices',
  text: `select fact, to_address, first_at, last_at, count from waiting_notices where player_id = $1
    order by first_at, to_address, fact`,
  params: [t.bigint],
  row: { fact: t.text, toAddress: t.text, firstAt: t.epochSeconds, lastAt: t.epochSeconds, count: t.int },
})

export const exportKnownDevices = sql({
  name: 'accounts.export-known-devices',
  text: 'select seen_at from known_devices where player_id = $1 order by seen_at',
  params: [t.bigint],
  row: { seenAt: t.epochSeconds },
})

export const exportKnownAddresses = sql({
  name: 'accounts.export-known-addresses',
  text: 'select seen_at from known_addresses where player_id = $1 order by seen_at',
  params: [t.bigint],
  row: { seenAt: t.epochSeconds },
})
