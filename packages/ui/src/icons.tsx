import { Icon } from './basic-icons.tsx'
import type { IconProps } from './basic-icons.tsx'

// These are on every page or on the first ones a visitor sees, and are part of the first load; the others load with
// their screens.
export {
  AlertIcon,
  ArrowRightIcon,
  CheckCircleIcon,
  ChevronDownIcon,
  ClockIcon,
  CloseIcon,
  InfoIcon,
  TrophyIcon,
} from './basic-icons.tsx'

/** Leads forward. */
export function ChevronRightIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m9 6 6 6-6 6" />
    </Icon>
  )
}

/** Leads back. */
export function ChevronLeftIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m15 6-6 6 6 6" />
    </Icon>
  )
}

/** Goes one step back. */
export function ArrowLeftIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M20 12H5M11 6l-6 6 6 6" />
    </Icon>
  )
}

/** Done or chosen. */
export function CheckIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Icon>
  )
}

/** Adds one. */
export function PlusIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 5v14M5 12h14" />
    </Icon>
  )
}

/** Takes one away. */
export function MinusIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M5 12h14" />
    </Icon>
  )
}

/** Edits. */
export function PencilIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m4 20 .9-4.1L16.2 4.6a1.9 1.9 0 0 1 2.7 0l.5.5a1.9 1.9 0 0 1 0 2.7L8.1 19.1zM14.2 6.6l3.2 3.2" />
    </Icon>
  )
}

/** Deletes. */
export function TrashIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10 11v5M14 11v5" />
    </Icon>
  )
}

/** A day of the calendar. */
export function CalendarIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="4" y="5.5" width="16" height="14.5" rx="2.5" />
      <path d="M4 10h16M8.5 3.5v4M15.5 3.5v4" />
    </Icon>
  )
}

/** Prints. */
export function PrinterIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M7.5 8.5V4h9v4.5M7.5 16H6a2 2 0 0 1-2-2v-3.5a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2V14a2 2 0 0 1-2 2h-1.5M7.5 13.5h9V20h-9z" />
    </Icon>
  )
}

/** Copies text. */
export function CopyIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="9" y="9" width="11" height="11" rx="2.5" />
      <path d="M15 9V6.5A2.5 2.5 0 0 0 12.5 4h-6A2.5 2.5 0 0 0 4 6.5v6A2.5 2.5 0 0 0 6.5 15H9" />
    </Icon>
  )
}

/** Shows a password. */
export function EyeIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="2.8" />
    </Icon>
  )
}

/** Hides a password. */
export function EyeOffIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3.1 3.9M6.5 7.4A16.5 16.5 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4-.9M4 4l16 16M10 10a2.8 2.8 0 0 0 4 4" />
    </Icon>
  )
}

/** Money and addresses. */
export function WalletIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M18 7.5V5.3a1.8 1.8 0 0 0-2.3-1.7L5.2 6.3A2.2 2.2 0 0 0 3.5 8.5v9A2.5 2.5 0 0 0 6 20h12a2.5 2.5 0 0 0 2.5-2.5V10A2.5 2.5 0 0 0 18 7.5H5.5M16.3 13.7v.1" />
    </Icon>
  )
}

/** Saves to the device. */
export function DownloadIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 4v11M7 10.5l5 5 5-5M4.5 20h15" />
    </Icon>
  )
}

/** Repeats. */
export function RefreshIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M20 11.5a8 8 0 1 0-1 4.5M20.5 5.5v6h-6" />
    </Icon>
  )
}

/** Leads out of this site. */
export function ExternalIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M10 5H7a2.5 2.5 0 0 0-2.5 2.5v9.5A2.5 2.5 0 0 0 7 19.5h9.5A2.5 2.5 0 0 0 19 17v-3M14 4.5h5.5V10M19 5l-8 8" />
    </Icon>
  )
}

/** Bitcoin, which no latin font subset has as a letter. */
export function BitcoinIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M7.5 5.5h6.3a3.2 3.2 0 0 1 0 6.4H7.5h7a3.3 3.3 0 0 1 0 6.6h-7M8.5 5.5v13M10.5 3v2.5M13.5 3v2.5M10.5 18.5V21M13.5 18.5V21" />
    </Icon>
  )
}
