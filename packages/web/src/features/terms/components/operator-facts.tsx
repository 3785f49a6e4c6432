import type { Operator } from '@fairball/contract/pages'
import { Anchor } from '@fairball/ui/link.tsx'
import { Terms } from '@fairball/ui/reading-page.tsx'
import { TERMS_TEXTS } from '../messages.ts'
import styles from './operator-facts.module.css'

/** This installation's operator, from its content file. */
export function OperatorFacts({ operator }: { operator: Operator }) {
  const { name, licence, address, email, phone } = operator
  const items = [
    { term: TERMS_TEXTS.operatorOffice, text: <Lines texts={address} /> },
    { term: TERMS_TEXTS.operatorLicence, text: licence },
    {
      term: TERMS_TEXTS.operatorMail,
      text: (
        <Anchor className={styles['address']} href={`mailto:${email}`}>
          {email}
        </Anchor>
      ),
    },
    { term: TERMS_TEXTS.operatorPhone, text: phone ?? '' },
  ]
  return (
    <>
      <p className={styles['name']}>{name}</p>
      <Terms items={items.filter(({ text }) => text !== '')} />
    </>
  )
}

function Lines({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <span key={text} className={styles['line']}>
      {text}
    </span>
  ))
}
