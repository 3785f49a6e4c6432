import type { SitePictures } from '@fairball/contract/pages'
import type { SiteColors } from '@fairball/domain/site-colors'
import {
  type Cause,
  type ContentImage,
  imageOf,
  IMAGES_PATH,
  type Operator,
  type OperatorContent,
} from '../content/service.ts'
import type { LegalKey } from './legal.ts'
import type { MoneyKey, TWO_PERSON_KEY } from './money.ts'
import { CONTENT_KEYS, type SettingKey, type Values } from './settings-file.ts'

/** What a process was started with: what holds where no setting says otherwise. */
export interface SiteDefaults {
  /** SUPPORT_EMAIL; null if it is not set */
  readonly supportEmail: string | null
  /** the content file's, the demo's examples, or nothing */
  readonly content: OperatorContent
  /** the content file, whose parts win over settings; null for none */
  readonly contentFile: string | null
}

/** How the site is called, how it looks and what it says of its operator, now. */
export interface Site {
  readonly name: string
  /** the light theme's paper and ink; null for the product's own */
  readonly colors: SiteColors | null
  /** what stands in place of the product's sign; null for that sign */
  readonly logo: SitePictures | null
  /** what browsers and home screens show; null for the product's icons */
  readonly icon: SitePictures | null
  /** every picture that pages may show, by the name it is served under */
  readonly images: ReadonlyMap<string, ContentImage>
  /** the contact for help; null if no one answers mail */
  readonly supportEmail: string | null
  readonly content: OperatorContent
}

/** The name of a site whose operator has not set one. */
const DEFAULT_NAME = 'Fairball'

/** The site of a process with these settings in force. */
export function siteOf(values: Values, { supportEmail, content: started, contentFile }: SiteDefaults): Site {
  const content = contentFile === null ? contentOf(values, started) : started
  const images = new Map(content.images)
  return {
    name: values['site.name'] ?? DEFAULT_NAME,
    colors: values['site.colors'] ?? null,
    logo: picturesOf(values['site.logo'], images),
    icon: picturesOf(values['site.icon'], images),
    images,
    supportEmail:
      values.support_email === undefined ? (supportEmail ?? content.operator?.email ?? null) : values.support_email,
    content,
  }
}

/** @param images the pictures are added to these @returns the addresses of both */
function picturesOf(given: Values['site.logo'], images: Map<string, ContentImage>): SitePictures | null {
  if (given === undefined || given === null) return null
  const light = addImage(given.light, images)
  const dark = addImage(given.dark, images)
  return light === null || dark === null ? null : { light, dark }
}

/** @param text base64 @returns the address at which a picture is served; null if it is none */
function addImage(text: string, images: Map<string, ContentImage>): string | null {
  const read = imageOf(Buffer.from(text, 'base64'))
  if (read === null) return null
  images.set(read.name, read.image)
  return `${IMAGES_PATH}${read.name}`
}

function contentOf(values: Values, started: OperatorContent): OperatorContent {
  const { operator, social, causes, partners, feedback_form_url: feedbackFormUrl } = values
  const shown = causes === undefined ? started : causesOf(causes)
  return {
    operator: operator === undefined ? started.operator : operatorOf(operator),
    social: social ?? started.social,
    partners: partners ?? started.partners,
    feedbackFormUrl: feedbackFormUrl === undefined ? started.feedbackFormUrl : feedbackFormUrl,
    causes: shown.causes,
    images: shown.images,
  }
}

function operatorOf(operator: (Values['operator'] & {}) | null): Operator | null {
  return operator === null ? null : { ...operator, phone: operator.phone ?? null, source: operator.source ?? null }
}

function causesOf(given: NonNullable<Values['causes']>): Pick<OperatorContent, 'causes' | 'images'> {
  const images = new Map<string, ContentImage>()
  const causes = given.map((cause): Cause => {
    return { ...cause, image: typeof cause.image === 'string' ? addImage(cause.image, images) : null }
  })
  return { causes, images }
}

/** The settings of the site that say the same as it does. Those that CONTENT_FILE gives are left out. */
export function valuesOf(site: Site, { contentFile }: Pick<SiteDefaults, 'contentFile'>): Values {
  const { name, colors, logo, icon, supportEmail, content, images } = site
  const { operator, social, causes, partners, feedbackFormUrl } = content
  const textOf = (address: string) =>
    Buffer.from(images.get(address.slice(IMAGES_PATH.length))?.bytes ?? []).toString('base64')
  const bothOf = (pictures: SitePictures | null) =>
    pictures && { light: textOf(pictures.light), dark: textOf(pictures.dark) }
  const all: Required<Omit<Values, LegalKey | MoneyKey | typeof TWO_PERSON_KEY | 'mail.from'>> = {
    'site.name': name,
    'site.colors': colors,
    'site.logo': bothOf(logo),
    'site.icon': bothOf(icon),
    support_email: supportEmail,
    operator: operator === null ? null : { ...operator, address: [...operator.address] },
    social: [...social],
    causes: causes.map((cause) => ({ ...cause, image: cause.image === null ? null : textOf(cause.image) })),
    partners: [...partners],
    feedback_form_url: feedbackFormUrl,
  }
  const isShown = (key: string) => contentFile === null || !CONTENT_KEYS.some((one) => one === key)
  return Object.fromEntries(Object.entries(all).filter(([key]) => isShown(key)))
}

/** The values of some versions. Their shape was checked when they were stored. */
export function asValues(rows: readonly { readonly key: string; readonly value: unknown }[]): Values {
  return Object.fromEntries(rows.map(({ key, value }) => [key as SettingKey, value]))
}
