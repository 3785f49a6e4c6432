// Settings that apply without a restart: each change is a version, checked, planned, and read by every process.

export {
  applySettings,
  confirmMailSender,
  type DeskSettings,
  exportSettings,
  planSettings,
  siteAt,
  startedSettings,
} from './desk.ts'
export { previewLegalText } from './legal.ts'
export { LiveSettings } from './live-settings.ts'
export { type Site, type SiteDefaults, siteOf } from './site.ts'
export { TWO_PERSON_KEY } from './money.ts'
export { SETTING_KEYS, type SettingKey, SETTINGS_FORMAT } from './settings-file.ts'
