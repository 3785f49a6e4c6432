import type { Payout } from '@fairball/contract/schemas/account'
import { Button } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { errorText } from '../api.ts'
import { useResendVerification } from '../data/resend-verification.ts'
import { useMoments } from '../moment.ts'
import { paths } from '../paths.ts'
import { waitingWords } from './payout-words.ts'
import styles from './payout-tracker.module.css'

/** Why money waits, and what the player can do; nothing if nothing is in its way. */
export function WaitingReason({ payout }: { payout: Payout }) {
  const moment = useMoments()
  const words = waitingWords(payout, moment)
  if (words === null) return null
  return (
    <p className={styles['reason']}>
      {words.text} {words.action === 'ADD_ADDRESS' && <Link href={paths.cryptoAccount()}>Add one</Link>}
      {words.action === 'RESEND_EMAIL' && <ResendEmail />}
    </p>
  )
}

function ResendEmail() {
  const resend = useResendVerification()
  if (resend.isSuccess) return <span role="status">We have sent you a new link. Please check your email.</span>
  return (
    <>
      {resend.isError && <span role="alert">{errorText(resend.error)}</span>}
      <Button variant="soft" size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
        Resend email
      </Button>
    </>
  )
}
