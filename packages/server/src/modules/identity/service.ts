export { sendWaitingNotices } from './account-mail.ts'
export { deviceName } from './device-name.ts'
export type { Caller } from './caller.ts'
export { type IdentityContext, identityContext } from './context.ts'
export type { Secrets } from './secrets.ts'
export { removeOldExclusions } from './exclusion-queries.ts'
export { keepExclusion } from './exclusions.ts'
export { isSameEmail } from './email-key.ts'
export { exportFormerEmails, removeFormerEmails } from './former-email-queries.ts'
export { keyPurpose } from './key-queries.ts'
export { countKeyFailure, issueKey, lookUpKey, removeOldKeys, revokeKeys, useKey } from './keys.ts'
export { forgetAttemptsOf, removeOldAttempts, restartAttempts } from './login-attempts.ts'
export {
  mailAccountClosed,
  mailAccountClosing,
  mailAddressChanged,
  mailAddressChangeStopped,
  mailEmailChanged,
  mailNoPasswordToReset,
  mailPasswordChanged,
  mailPasswordReset,
  mailRecoveryCodeUsed,
} from './mails.ts'
export {
  mailDestinationChanged,
  mailDestinationRemoved,
  mailPayFirstChanged,
  mailPayoutChangesStopped,
} from './payout-mails.ts'
export { noticeRecipients, rememberFormerEmail, removeOldFormerEmails } from './notice-recipients.ts'
export { assertGoodPassword } from './password-rules.ts'
export { type ProofInput, requirePassword, requireProof, requireProofOfOwner } from './proof.ts'
export {
  findPlayer,
  findPlayerByEmail,
  listIdentities,
  lockPlayer,
  readRegistration,
  removeIdentities,
  updateDetails,
  updatePassword,
} from './queries.ts'
export { recipientOf } from './recipient.ts'
export { isFree, mailVerification } from './registration.ts'
export { findTwofa, removeRecentSecurityAnswer, removeSecurityAnswer, secondStepsOf } from './security-queries.ts'
export { authenticate, endOtherSessions, forgetSessionsOf, removeOldSessions, sessionsOf } from './sessions.ts'
export { type LockedPlayer, lockSignedIn } from './signed-in-player.ts'
export { acceptsCode, acceptsRecoveryCode, forgetTwofaOf, renewTwofaSeals } from './two-factor.ts'
