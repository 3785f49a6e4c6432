import { lazy, Suspense, useState } from 'react'
import { errorText } from '../../../shared/api.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { IconButton } from '@fairball/ui/icon-button.tsx'
import { ArrowLeftIcon } from '@fairball/ui/icons.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { Steps } from '@fairball/ui/steps.tsx'
import { SETTINGS_TEXTS } from '../messages.ts'
import { keyOfUri, PASSWORD_STEP, shownStep, stepAfter, stepBefore } from '../two-factor-steps.ts'
import type { TwoFactorStep } from '../two-factor-steps.ts'
import { useTwofaQr } from '../use-security.ts'
import { TwoFactorCode } from './two-factor-code.tsx'
import { TwoFactorPassword } from './two-factor-password.tsx'
import styles from './two-factor.module.css'

const QrCode = lazy(async () => ({ default: (await import('@fairball/ui/qr-code.tsx')).QrCode }))

/** Accounts without a password have no step for it. */
const SOCIAL_STEPS = SETTINGS_TEXTS.twofaSteps.filter((_name, index) => index + 1 !== PASSWORD_STEP)

/** Props of {@link TwoFactorSetUp}. */
interface TwoFactorSetUpProps {
  isSocial: boolean
  /** Two-factor is on now; the recovery codes are given this once. */
  onSwitchedOn: (recoveryCodes: readonly string[]) => void
}

/** The five steps of setting up two-factor, each with an arrow back. */
export function TwoFactorSetUp({ isSocial, onSwitchedOn }: TwoFactorSetUpProps) {
  const [step, setStep] = useState<TwoFactorStep>(1)
  const qr = useTwofaQr()
  // Back at the introduction, the focus goes to the button that led on from it.
  const [hasBegun, setHasBegun] = useState(false)
  const goOn = () => {
    setHasBegun(true)
    setStep(stepAfter(step, isSocial))
  }
  const goBack = () => setStep(stepBefore(step, isSocial))
  if (step === 1) {
    return (
      <>
        <p>{SETTINGS_TEXTS.twofaIntro}</p>
        <div>
          <Button autoFocus={hasBegun} onClick={goOn}>
            {SETTINGS_TEXTS.twofaSetUp}
          </Button>
        </div>
      </>
    )
  }
  return (
    <div className={styles['steps']}>
      <div className={styles['progress']}>
        <IconButton label={SETTINGS_TEXTS.twofaBack} icon={<ArrowLeftIcon />} onClick={goBack} />
        <Steps current={shownStep(step, isSocial)} names={isSocial ? SOCIAL_STEPS : SETTINGS_TEXTS.twofaSteps} />
      </div>
      {step === 2 && <TwoFactorPassword onVerified={goOn} />}
      {step === 3 && (
        <>
          <Lead>{SETTINGS_TEXTS.twofaApp}</Lead>
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
          <Lead>{SETTINGS_TEXTS.twofaScan}</Lead>
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

/** The first sentence of a step without a field. It takes the focus from the button of the step before. */
function Lead({ children }: { children: string }) {
  return (
    <p ref={giveFocus} tabIndex={-1} className={styles['lead']}>
      {children}
    </p>
  )
}

function giveFocus(element: HTMLElement | null) {
  element?.focus()
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
