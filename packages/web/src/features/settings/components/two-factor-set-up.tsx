import { lazy, Suspense, useState } from 'react'
import { errorText } from '../../../app/api.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { ArrowLeftIcon } from '../../../ui/icons.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Steps } from '../../../ui/steps.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { keyOfUri, stepAfter, stepBefore } from '../two-factor-steps.ts'
import type { TwoFactorStep } from '../two-factor-steps.ts'
import { useTwofaQr } from '../use-security.ts'
import { TwoFactorCode } from './two-factor-code.tsx'
import { TwoFactorPassword } from './two-factor-password.tsx'
import styles from './two-factor.module.css'

const QrCode = lazy(async () => ({ default: (await import('../../../ui/qr-code.tsx')).QrCode }))

/** Props of {@link TwoFactorSetUp}. */
export interface TwoFactorSetUpProps {
  isSocial: boolean
  /** Two-factor is on now; the recovery codes are given this once. */
  onSwitchedOn: (recoveryCodes: readonly string[]) => void
}

/** The five steps of setting up two-factor, each with an arrow back. */
export function TwoFactorSetUp({ isSocial, onSwitchedOn }: TwoFactorSetUpProps) {
  const [step, setStep] = useState<TwoFactorStep>(1)
  const qr = useTwofaQr()
  const goOn = () => setStep(stepAfter(step, isSocial))
  const goBack = () => setStep(stepBefore(step, isSocial))
  if (step === 1) {
    return (
      <>
        <p>{SETTINGS_TEXTS.twofaIntro}</p>
        <div>
          <Button onClick={goOn}>{SETTINGS_TEXTS.twofaSetUp}</Button>
        </div>
      </>
    )
  }
  return (
    <div className={styles['steps']}>
      <div className={styles['progress']}>
        <IconButton label={SETTINGS_TEXTS.twofaBack} icon={<ArrowLeftIcon />} onClick={goBack} />
        <Steps current={step} names={SETTINGS_TEXTS.twofaSteps} />
      </div>
      {step === 2 && <TwoFactorPassword onVerified={goOn} />}
      {step === 3 && (
        <>
          <p>{SETTINGS_TEXTS.twofaApp}</p>
          {qr.isError && <Banner kind="danger">{errorText(qr.error)}</Banner>}
          <div>
            <Button busy={qr.isPending} onClick={() => qr.mutate(undefined, { onSuccess: goOn })}>
              {SETTINGS_TEXTS.next}
            </Button>
          </div>
        </>
      )}
      {step === 4 && qr.data !== undefined && (
        <>
          <p>{SETTINGS_TEXTS.twofaScan}</p>
          <div className={styles['scan']}>
            <div className={styles['qr']}>
              <Suspense fallback={<Skeleton shape="block" className={styles['qr']} />}>
                <QrCode text={qr.data} label={SETTINGS_TEXTS.twofaQrLabel} />
              </Suspense>
            </div>
            <TypedKey uri={qr.data} />
          </div>
          <div>
            <Button onClick={goOn}>{SETTINGS_TEXTS.next}</Button>
          </div>
        </>
      )}
      {step === 5 && <TwoFactorCode onSwitchedOn={onSwitchedOn} />}
    </div>
  )
}

/** The key for apps that cannot scan. */
function TypedKey({ uri }: { uri: string }) {
  const key = keyOfUri(uri)
  if (key === null) return null
  return (
    <div className={styles['key']}>
      <Mono text={key} />
      <CopyButton text={key} label={SETTINGS_TEXTS.twofaKey} />
    </div>
  )
}
