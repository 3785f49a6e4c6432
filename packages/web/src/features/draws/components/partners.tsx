import type { Partner } from '@fairball/contract/schemas/game'
import { ExternalIcon } from '@fairball/ui/icons.tsx'
import { Link } from '@fairball/ui/link.tsx'
import styles from './partners.module.css'

/** The charities a donation went to, each a link to its own site. */
export function Partners({ partners }: { partners: readonly Partner[] }) {
  if (partners.length === 0) return null
  return (
    <span className={styles['partners']}>
      {partners.map((partner) => (
        <Link
          key={partner.name}
          href={partner.url}
          target="_blank"
          rel="noopener noreferrer"
          className={styles['partner']}
        >
          {partner.name}
          <ExternalIcon size={16} />
        </Link>
      ))}
    </span>
  )
}
