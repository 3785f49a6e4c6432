import { nullable, sql, t } from '../../db/sql.ts'
import { keyPurpose } from '../identity/service.ts'

export const exportSecurityAnswer = sql({
  name: 'accounts.export-security-answer',
  text: 'select question_id, updated_at from security_answers where player_id = $1',
  params: [t.bigint],
  row: { question_id: t.int, updated_at: t.epochSeconds },
})

export const exportRecoveryCodes = sql({
  name: 'accounts.export-recovery-codes',
  text: 'select used_at from recovery_codes where player_id = $1 order by used_at nulls last',
  params: [t.bigint],
  row: { used_at: nullable(t.epochSeconds) },
})

export const exportKeys = sql({
  name: 'accounts.export-keys',
  text: `select purpose, created_at, expires_at, used_at, email as sent_to from player_keys
    where player_id = $1 order by created_at, purpose`,
  params: [t.bigint],
  row: {
    purpose: keyPurpose,
    created_at: t.epochSeconds,
    expires_at: t.epochSeconds,
    used_at: nullable(t.epochSeconds),
    sent_to: nullable(t.text),
  },
})

export const exportWaitingNotices = sql({
  name: 'accounts.export-waiting-notices',
  text: `select fact, to_address, first_at, last_at, count from waiting_notices where player_id = $1
    order by first_at, to_address, fact`,
  params: [t.bigint],
  row: { fact: t.text, to_address: t.text, first_at: t.epochSeconds, last_at: t.epochSeconds, count: t.int },
})

export const exportKnownDevices = sql({
  name: 'accounts.export-known-devices',
  text: 'select seen_at from known_devices where player_id = $1 order by seen_at',
  params: [t.bigint],
  row: { seen_at: t.epochSeconds },
})

export const exportKnownAddresses = sql({
  name: 'accounts.export-known-addresses',
  text: 'select seen_at from known_addresses where player_id = $1 order by seen_at',
  params: [t.bigint],
  row: { seen_at: t.epochSeconds },
})
