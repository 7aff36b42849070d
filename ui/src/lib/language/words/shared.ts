// Words that several pages use.

export const sharedWords = {
  'shared.close': { en: 'Close', 'zh-CN': '关闭' },
  'shared.cancel': { en: 'Cancel', 'zh-CN': '取消' },
  'shared.save': { en: 'Save', 'zh-CN': '保存' },
  'shared.undo': { en: 'Undo', 'zh-CN': '撤销' },
  'shared.retry': { en: 'Try again', 'zh-CN': '重试' },
  'shared.loading': { en: 'Loading', 'zh-CN': '正在载入' },
  'shared.clear_search': { en: 'Clear the search', 'zh-CN': '清空搜索' },
  'shared.details': { en: 'Details', 'zh-CN': '详情' },
  'shared.seconds': { en: '{seconds} s', 'zh-CN': '{seconds} 秒' },
  'shared.minutes': { en: '{minutes} min', 'zh-CN': '{minutes} 分钟' },
  'shared.minutes_seconds': { en: '{minutes} min {seconds} s', 'zh-CN': '{minutes} 分 {seconds} 秒' },
} as const;
