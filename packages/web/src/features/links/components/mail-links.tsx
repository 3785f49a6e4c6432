import { Link } from '@fairball/ui/link.tsx'
import { useConfig } from '../../../shared/config.ts'
import styles from './mail-links.module.css'

/**
 * The links of a mail. One to this site is its path, so that it opens under the name by which the browser knows the
 * site; one to elsewhere, such as the operator's console, stays whole.
 */
export function MailLinks({ links }: { links: readonly string[] }) {
  const { publicUrl } = useConfig()
  return (
    <ul className={styles['links']}>
      {links.map((link) => {
        const address = link.startsWith(`${publicUrl}/`) ? link.slice(publicUrl.length) : link
        return (
          <li key={link}>
            <Link href={address}>{address}</Link>
          </li>
        )
      })}
    </ul>
  )
}
