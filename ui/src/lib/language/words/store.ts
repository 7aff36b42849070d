// Where keys are kept.

export const storeWords = {
  'store.title': { en: 'Where the key is kept', 'zh-CN': '密钥保存位置' },
  'store.keyring.line': {
    en: "The system's own keyring. It was tested with a write and a read.",
    'zh-CN': '系统自带的密钥库，已通过写入和读取测试。',
  },
  'store.file': { en: 'Encrypted file', 'zh-CN': '加密文件' },
  'store.file.line': {
    en: "Sealed with your passphrase, in Talaria's data folder. Asked for once at each start.",
    'zh-CN': '用你的口令加密，放在 Talaria 的数据文件夹里。每次启动时询问一次。',
  },
  'store.memory': { en: 'This session only', 'zh-CN': '仅限本次运行' },
  'store.memory.line': {
    en: 'Forgotten when Talaria closes. You will enter the key again next time.',
    'zh-CN': '关闭 Talaria 后即忘记，下次需要重新输入密钥。',
  },
  'store.reading': { en: 'Testing the keyring', 'zh-CN': '正在测试密钥库' },
  'store.problem.missing': { en: 'No keyring service runs on this computer.', 'zh-CN': '这台电脑上没有运行密钥库服务。' },
  'store.problem.locked': { en: 'The keyring is locked and was not unlocked.', 'zh-CN': '密钥库已锁定，没有解锁。' },
  'store.problem.timed_out': { en: 'The keyring did not answer in time.', 'zh-CN': '密钥库没有及时响应。' },
  'store.problem.not_kept': { en: 'The keyring did not give back what was written to it.', 'zh-CN': '密钥库没有保存写入的内容。' },
  'store.remedy.missing': {
    en: 'On Linux, install and start GNOME Keyring or KWallet, then test again. Or choose one of these:',
    'zh-CN': '在 Linux 上，请安装并启动 GNOME Keyring 或 KWallet，然后重新测试。也可以选择：',
  },
  'store.remedy.locked': {
    en: "Unlock it in the system's password program, then test again. Or choose one of these:",
    'zh-CN': '请在系统的密码管理程序中解锁，然后重新测试。也可以选择：',
  },
  'store.remedy.timed_out': {
    en: 'A question of the system may be hidden behind this window. Answer it, then test again. Or choose one of these:',
    'zh-CN': '系统的询问窗口可能被挡住了。请回答后重新测试。也可以选择：',
  },
  'store.remedy.not_kept': {
    en: 'Restart the keyring service, then test again. Or choose one of these:',
    'zh-CN': '请重启密钥库服务，然后重新测试。也可以选择：',
  },
  'store.choose': { en: 'Keep keys in', 'zh-CN': '密钥保存在' },
  'store.probe': { en: 'Test the keyring again', 'zh-CN': '重新测试密钥库' },
  'store.use_keyring': { en: 'Use {name}', 'zh-CN': '使用 {name}' },
  'store.use_memory': { en: 'Use this session only', 'zh-CN': '仅在本次运行中使用' },
  'store.use_file': { en: 'Create the file', 'zh-CN': '创建文件' },
  'store.open_file': { en: 'Unlock', 'zh-CN': '解锁' },
  'store.locked': { en: 'The encrypted file waits for its passphrase.', 'zh-CN': '加密文件需要口令才能打开。' },
  'store.passphrase': { en: 'Passphrase', 'zh-CN': '口令' },
  'store.passphrase.help': {
    en: "At least 8 characters. It can't be recovered: without it the keys must be entered again.",
    'zh-CN': '至少 8 个字符。口令无法找回，忘记后需要重新输入密钥。',
  },
  'store.passphrase.again': { en: 'Passphrase again', 'zh-CN': '再次输入口令' },
  'store.passphrase.too_short': { en: 'At least 8 characters.', 'zh-CN': '至少 8 个字符。' },
  'store.passphrase.not_equal': { en: 'The two are not the same.', 'zh-CN': '两次输入不一致。' },
  'store.change': { en: 'Keep keys elsewhere', 'zh-CN': '更改保存位置' },
  'store.system_keyring': { en: 'System keyring', 'zh-CN': '系统密钥库' },
  'store.passphrase.blank': { en: 'Type the passphrase.', 'zh-CN': '请输入口令。' },
  'store.passphrase.wrong': { en: 'The file did not open. Check the passphrase.', 'zh-CN': '文件没有打开，请检查口令。' },
} as const;
