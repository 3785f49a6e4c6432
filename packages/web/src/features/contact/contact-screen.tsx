import { useConfig } from '../../app/config.ts'
import { paths } from '../../app/paths.ts'
import type { ScreenLoader } from '../../app/screen.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailed } from '../../ui/empty-state.tsx'
import { Anchor, Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { ContactForm } from './components/contact-form.tsx'
import styles from './contact-screen.module.css'
import { CONTACT_TEXTS } from './messages.ts'
import { countriesQuery, useCountries } from './use-contact.ts'

/** Loads the countries of the form. */
export const load: ScreenLoader = async ({ api, queryClient }) => {
  await queryClient.ensureQueryData(countriesQuery(api))
}

/** Help: a form to write to the support, its address, and what helps without it. */
export function ContactScreen(_props: object) {
  return (
    <>
      <PageTitle lead={CONTACT_TEXTS.lead}>{CONTACT_TEXTS.title}</PageTitle>
      <div className={styles['columns']}>
        <Card title={CONTACT_TEXTS.formTitle}>
          <LoadedForm />
        </Card>
        <MoreHelp />
      </div>
    </>
  )
}

function LoadedForm() {
  const countries = useCountries()
  if (countries.data !== undefined) return <ContactForm countries={countries.data} />
  if (countries.isError) return <LoadFailed text={CONTACT_TEXTS.loadFailed} onRetry={() => void countries.refetch()} />
  return (
    <Loading>
      <Skeleton />
      <Skeleton />
      <Skeleton shape="block" />
      <Skeleton shape="button" />
    </Loading>
  )
}

function MoreHelp() {
  const { supportEmail } = useConfig()
  return (
    <Card title={CONTACT_TEXTS.moreTitle}>
      {supportEmail !== null && (
        <p>
          {CONTACT_TEXTS.mail}{' '}
          <Anchor className={styles['mail']} href={`mailto:${supportEmail}`}>
            {supportEmail}
          </Anchor>
        </p>
      )}
      <dl className={styles['answers']}>
        <dt>{CONTACT_TEXTS.forgotten}</dt>
        <dd>
          <Link href={paths.forgottenPassword()}>{CONTACT_TEXTS.forgottenText}</Link>
        </dd>
        <dt>{CONTACT_TEXTS.access}</dt>
        <dd>{CONTACT_TEXTS.accessText}</dd>
      </dl>
      <p>{CONTACT_TEXTS.secrets}</p>
    </Card>
  )
}
