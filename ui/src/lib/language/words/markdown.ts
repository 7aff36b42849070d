// What can be done with code, images and diagrams inside rendered Markdown.

export const markdownWords = {
  'markdown.copy': { en: 'Copy the code', 'zh-CN': '复制代码' },
  'markdown.copied': { en: 'The code was copied.', 'zh-CN': '已复制代码。' },
  'markdown.not_copied': { en: 'The code could not be copied.', 'zh-CN': '无法复制代码。' },
  'markdown.wrap': { en: 'Wrap lines', 'zh-CN': '自动换行' },
  'markdown.all': { en: 'Show all {count} lines', 'zh-CN': '显示全部 {count} 行' },
  'markdown.plain': { en: 'Text', 'zh-CN': '文本' },
  'markdown.image': { en: 'Load the image from {url}', 'zh-CN': '载入图片：{url}' },
  'markdown.image.failed': { en: 'The image could not be loaded: {url}', 'zh-CN': '无法载入图片：{url}' },
} as const;
