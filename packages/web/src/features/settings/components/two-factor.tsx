import { useState } from 'react'
import { useSession } from '../../../shared/session/use-session.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Loading, Skeleton } from '@fairball/ui/skeleton.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorOn } from './two-factor-on.tsx'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'

/** Two-factor authentication: its set-up in five steps, or its benefit and the form to disable it. */
export function TwoFactor() {
  const { profile, refreshProfile } = useSession()
  // Shown once, after two-factor has just been switched on, regardless of the profile.
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  const switchedOn = (codes: readonly string[]) => {
    setRecoveryCodes(codes)
    void refreshProfile()
  }
  return (
    <Card title={SETTINGS_TEXTS.twofaTitle}>
      {profile === null ? (
        <Loading>
          <Skeleton />
          <Skeleton shape="button" />
        </Loading>
      ) : recoveryCodes !== null ? (
        <RecoveryCodes codes={recoveryCodes} onDone={() => setRecoveryCodes(null)} />
      ) : profile.is_two_fa_enabled ? (
        <TwoFactorOn isSocial={profile.is_social_account} />
      ) : (
        <TwoFactorSetUp isSocial={profile.is_social_account} onSwitchedOn={switchedOn} />
      )}
    </Card>
  )
}
