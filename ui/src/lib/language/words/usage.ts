// What a turn or a session took: tokens and money.

export const usageWords = {
  'usage.in': { en: '{count} in', 'zh-CN': '输入 {count}' },
  'usage.cached': { en: '{share} % cached', 'zh-CN': '缓存 {share} %' },
  'usage.out': { en: '{count} out', 'zh-CN': '输出 {count}' },
  'usage.free': { en: 'free', 'zh-CN': '免费' },
  'usage.turn': { en: 'Tokens of this turn', 'zh-CN': '本轮用量' },
  'usage.session': { en: 'Tokens of this session', 'zh-CN': '本会话用量' },
  'usage.sent': { en: 'Sent', 'zh-CN': '输入词元' },
  'usage.from_cache': { en: 'From the cache', 'zh-CN': '命中缓存' },
  'usage.to_cache': { en: 'Written to the cache', 'zh-CN': '写入缓存' },
  'usage.received': { en: 'Received', 'zh-CN': '输出词元' },
  'usage.cost': { en: 'Cost', 'zh-CN': '费用' },
  'usage.no_price': { en: 'not known', 'zh-CN': '未知' },
} as const;
