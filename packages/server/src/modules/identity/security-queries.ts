import { array, nullable, sql, t } from '../../db/sql.ts'

export const findTwofa = sql({
  name: 'accounts.find-twofa',
  text: 'select secret, confirmed_at, created_at, session_id from twofa where player_id = $1',
  params: [t.bigint],
  row: {
    secret: t.bytea,
    confirmedAt: nullable(t.epochSeconds),
    createdAt: t.epochSeconds,
    sessionId: nullable(t.uuid),
  },
})

/** A secret that was not confirmed may be replaced; one in force never is. */
export const proposeTwofa = sql({
  name: 'accounts.propose-twofa',
  text: `insert into twofa (player_id, created_at, secret, session_id) values ($1, $2, $3, $4)
    on conflict (player_id) do update set created_at = $2, secret = $3, session_id = $4 where twofa.confirmed_at is null`,
  params: [t.bigint, t.epochSeconds, t.bytea, t.uuid],
})

export const confirmTwofa = sql({
  name: 'accounts.confirm-twofa',
  text: 'update twofa set confirmed_at = $2, session_id = null where player_id = $1 and confirmed_at is null',
  params: [t.bigint, t.epochSeconds],
})

/** Takes a step's code once: of two logins with the same code, one gets the row. */
export const useTwofaStep = sql({
  name: 'accounts.use-twofa-step',
  text: `update twofa set last_used_step = $2
    where player_id = $1 and confirmed_at is not null and last_used_step < $2`,
  params: [t.bigint, t.whole],
})

export const removeTwofa = sql({
  name: 'accounts.remove-twofa',
  text: 'delete from twofa where player_id = $1',
  params: [t.bigint],
})

export const insertRecoveryCodes = sql({
  name: 'accounts.insert-recovery-codes',
  text: 'insert into recovery_codes (player_id, hash) select $1, unnest($2::bytea[])',
  params: [t.bigint, array(t.bytea)],
})

export const useRecoveryCode = sql({
  name: 'accounts.use-recovery-code',
  text: 'update recovery_codes set used_at = $3 where player_id = $1 and hash = $2 and used_at is null',
  params: [t.bigint, t.bytea, t.epochSeconds],
})

export const removeRecoveryCodes = sql({
  name: 'accounts.remove-recovery-codes',
  text: 'delete from recovery_codes where player_id = $1',
  params: [t.bigint],
})

export const findSecurityAnswer = sql({
  name: 'accounts.find-security-answer',
  text: 'select question_id, answer_hash from security_answers where player_id = $1',
  params: [t.bigint],
  row: { questionId: t.int, answerHash: t.text },
})

export const saveSecurityAnswer = sql({
  name: 'accounts.save-security-answer',
  text: `insert into security_answers (player_id, updated_at, question_id, answer_hash) values ($1, $2, $3, $4)
    on conflict (player_id) do update set updated_at = $2, question_id = $3, answer_hash = $4`,
  params: [t.bigint, t.epochSeconds, t.int, t.text],
})

/** An answer that was given after $2: an older question is kept. */
export const removeRecentSecurityAnswer = sql({
  name: 'accounts.remove-recent-security-answer',
  text: 'delete from security_answers where player_id = $1 and updated_at > $2',
  params: [t.bigint, t.epochSeconds],
})

export const removeSecurityAnswer = sql({
  name: 'accounts.remove-security-answer',
  text: 'delete from security_answers where player_id = $1',
  params: [t.bigint],
})

export const secondStepsOf = sql({
  name: 'accounts.second-steps-of',
  text: `select exists (select from twofa where player_id = $1 and confirmed_at is not null) as has_twofa,
    exists (select from security_answers where player_id = $1) as has_question`,
  params: [t.bigint],
  row: { hasTwofa: t.bool, hasQuestion: t.bool },
})

export const listTwofaSecrets = sql({
  name: 'accounts.list-twofa-secrets',
  text: 'select player_id, secret from twofa order by player_id for update',
  row: { playerId: t.bigint, secret: t.bytea },
})

export const replaceTwofaSecrets = sql({
  name: 'accounts.replace-twofa-secrets',
  text: `update twofa set secret = fresh.secret from unnest($1::bigint[], $2::bytea[]) as fresh (player_id, secret)
    where twofa.player_id = fresh.player_id`,
  params: [array(t.bigint), array(t.bytea)],
})
