// What to do about a failed check, by remedy.

export const remedyWords = {
  'remedy.check_address.words': {
    en: 'Nothing at this address speaks the chosen protocol. Check the address.',
    'zh-CN': '这个地址上没有使用所选协议的服务，请检查地址。',
  },
  'remedy.start_local_service.words': {
    en: 'The service on this computer does not answer. Start it, or correct its port.',
    'zh-CN': '这台电脑上的服务没有响应。请启动它，或改正端口。',
  },
  'remedy.check_network.words': {
    en: "The service can't be reached. Check the network connection.",
    'zh-CN': '无法连接服务，请检查网络连接。',
  },
  'remedy.check_proxy.words': {
    en: "The system's proxy refuses or can't be reached. Check the proxy in the system settings.",
    'zh-CN': '系统代理拒绝连接或无法连接，请在系统设置中检查代理。',
  },
  'remedy.check_proxy.words_named': {
    en: "The system's proxy {proxy} refuses or can't be reached. Check it in the system settings.",
    'zh-CN': '系统代理 {proxy} 拒绝连接或无法连接，请在系统设置中检查。',
  },
  'remedy.check_certificate.words': {
    en: "The service's certificate is not trusted. Check this computer's clock, and whether something inspects the traffic.",
    'zh-CN': '服务的证书不受信任。请检查电脑时间，以及是否有软件在检查网络流量。',
  },
  'remedy.check_key.words': {
    en: 'The service does not accept the key. Check that it is whole and belongs to this service.',
    'zh-CN': '服务不接受这个密钥。请确认密钥完整，并且属于这个服务。',
  },
  'remedy.add_credit.words': {
    en: "The account has no credit left. Add some on the service's page, then check again.",
    'zh-CN': '账户余额不足。请在服务页面充值，然后重新检查。',
  },
  'remedy.choose_model.words': {
    en: 'The service does not have this model. Choose another one.',
    'zh-CN': '服务没有这个模型，请选择另一个。',
  },
  'remedy.pull_model.words': {
    en: 'The service on this computer has no model yet. Load one there, then check again.',
    'zh-CN': '这台电脑上的服务还没有模型。请在其中载入一个，然后重新检查。',
  },
  'remedy.choose_tool_model.words': {
    en: "This model does not call tools. It can chat, but it can't save notes.",
    'zh-CN': '这个模型不会调用工具。它可以对话，但不能保存笔记。',
  },
  'remedy.wait_and_retry.words': {
    en: 'The service is busy or limits requests. Wait a moment, then check again.',
    'zh-CN': '服务繁忙或限制了请求。请稍等片刻再检查。',
  },
  'remedy.set_window.words': {
    en: 'The service does not say how much text this model takes at once. Talaria works with a careful estimate.',
    'zh-CN': '服务没有说明这个模型一次能处理多少文字。Talaria 会按保守的估计工作。',
  },
  'remedy.set_window.field': { en: 'Context window, in tokens', 'zh-CN': '上下文窗口（词元）' },
  'remedy.set_window.save': { en: 'Use this size', 'zh-CN': '使用这个大小' },
  'remedy.read_message.words': {
    en: 'The service answered with an error. Its message says more.',
    'zh-CN': '服务返回了错误，详情见它的消息。',
  },
  'remedy.action.check_again': { en: 'Check again', 'zh-CN': '重新检查' },
  'remedy.action.change_key': { en: 'Change the key', 'zh-CN': '更换密钥' },
  'remedy.action.open_key_page': { en: "Open the service's page", 'zh-CN': '打开服务页面' },
  'remedy.action.choose_model': { en: 'Choose another model', 'zh-CN': '选择其他模型' },
  'remedy.action.change_address': { en: 'Change the address', 'zh-CN': '更改地址' },
  'remedy.action.keep_model': { en: 'Keep this model', 'zh-CN': '保留这个模型' },
} as const;
