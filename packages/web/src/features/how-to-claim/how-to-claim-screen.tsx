import { paths } from '../../shared/paths.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { Stops } from '@fairball/ui/stops.tsx'
import styles from './how-to-claim-screen.module.css'
import { CLAIM_TEXTS } from './messages.ts'

/** The conditions between a win and its payment, and the way to meet each. */
const CAUSES = [
  { title: CLAIM_TEXTS.noAddress, text: CLAIM_TEXTS.noAddressText },
  { title: CLAIM_TEXTS.unverified, text: CLAIM_TEXTS.unverifiedText },
  { title: CLAIM_TEXTS.changed, text: CLAIM_TEXTS.changedText },
  { title: CLAIM_TEXTS.small, text: CLAIM_TEXTS.smallText },
] as const

/** An explanation of how prizes are paid, and of CLAIM at a win. The same for every visitor. */
export function HowToClaimScreen(_props: object) {
  return (
    <>
      <PageTitle
        lead={CLAIM_TEXTS.lead}
        aside={<LinkButton href={paths.cryptoAccount()}>{CLAIM_TEXTS.toCryptoAccount}</LinkButton>}
      >
        {CLAIM_TEXTS.title}
      </PageTitle>
      <div className={styles['panels']}>
        <Card title={CLAIM_TEXTS.steps}>
          <Stops stops={CLAIM_TEXTS.stepList} />
          <p className={styles['more']}>
            <Link href={paths.transactions()}>{CLAIM_TEXTS.toTransactions}</Link>
          </p>
        </Card>
        <Card title={CLAIM_TEXTS.claim} lead={CLAIM_TEXTS.claimText}>
          <div className={styles['causes']}>
            {CAUSES.map(({ title, text }) => (
              <section key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </section>
            ))}
          </div>
          <p className={styles['more']}>
            <Link href={paths.cryptoAccount()}>{CLAIM_TEXTS.toCryptoAccount}</Link>
          </p>
        </Card>
        <Card title={CLAIM_TEXTS.expiry}>
          <p>{CLAIM_TEXTS.expiryText}</p>
        </Card>
        <Card title={CLAIM_TEXTS.freeTickets}>
          <p>{CLAIM_TEXTS.freeTicketsText}</p>
        </Card>
      </div>
      <p className={styles['help']}>
        {CLAIM_TEXTS.helpBefore} <Link href={paths.helpAndContactUs()}>{CLAIM_TEXTS.help}</Link>
      </p>
    </>
  )
}
