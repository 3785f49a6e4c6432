import { LoadedContactForm } from '../../shared/contact/contact-form.tsx'
import { countriesQuery } from '../../shared/contact/use-contact.ts'
import { useConfig, useContent } from '../../shared/config.ts'
import { NETWORK_NAMES } from '../../shared/network-names.ts'
import { paths } from '../../shared/paths.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { Card } from '@fairball/ui/card.tsx'
import { Anchor, Link } from '@fairball/ui/link.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import styles from './contact-screen.module.css'
import { CONTACT_TEXTS as TEXTS } from './messages.ts'

/** Loads the countries of the form. */
export const load: ScreenLoader = async ({ api, queryClient }) => {
  await queryClient.ensureQueryData(countriesQuery(api))
}

/** Help: a form to write to support, other ways to reach it, and pages that answer common questions. */
export function ContactScreen(_props: object) {
  return (
    <>
      <PageTitle lead={TEXTS.lead}>{TEXTS.title}</PageTitle>
      <div className={styles['columns']}>
        <Card title={TEXTS.formTitle}>
          <LoadedContactForm />
        </Card>
        <div className={styles['side']}>
          <Reach />
          <MoreHelp />
        </div>
      </div>
    </>
  )
}

/** Office, address and social networks, as far as the operator has configured them. */
function Reach() {
  const { supportEmail } = useConfig()
  const { operator, social } = useContent()
  const email = supportEmail ?? operator?.email ?? null
  if (operator === null && email === null && social.length === 0) return null
  return (
    <Card title={TEXTS.reachTitle}>
      <dl className={styles['answers']}>
        {operator !== null && (
          <>
            <dt>{TEXTS.office}</dt>
            <dd>
              <address className={styles['address']}>
                {[operator.name, ...operator.address].map((line) => (
                  <span key={line}>{line}</span>
                ))}
                {operator.email !== email && <MailLink email={operator.email} />}
              </address>
            </dd>
          </>
        )}
        {email !== null && (
          <>
            <dt>{TEXTS.mail}</dt>
            <dd>
              <MailLink email={email} />
            </dd>
          </>
        )}
        {operator !== null && operator.phone !== null && (
          <>
            <dt>{TEXTS.phone}</dt>
            <dd>
              <Anchor className={styles['mail']} href={`tel:${operator.phone.replaceAll(/[^+\d]/gu, '')}`}>
                {operator.phone}
              </Anchor>
            </dd>
          </>
        )}
        {social.length > 0 && (
          <>
            <dt>{TEXTS.social}</dt>
            <dd>
              <ul className={styles['social']}>
                {social.map(({ network, url }) => (
                  <li key={url}>
                    <Link href={url} rel="noopener">
                      {NETWORK_NAMES[network]}
                    </Link>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}

function MailLink({ email }: { email: string }) {
  return (
    <Anchor className={styles['mail']} href={`mailto:${email}`}>
      {email}
    </Anchor>
  )
}

function MoreHelp() {
  return (
    <Card title={TEXTS.moreTitle}>
      <dl className={styles['answers']}>
        {TEXTS.help.map(({ question, link, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>
              <Link href={paths[link]()}>{answer}</Link>
            </dd>
          </div>
        ))}
        <div>
          <dt>{TEXTS.access}</dt>
          <dd>{TEXTS.accessText}</dd>
        </div>
      </dl>
      <p>{TEXTS.secrets}</p>
    </Card>
  )
}
