//! Passages of what passes through a conversation, to hold the estimate against a real tokenizer.

/// A kind of text and a passage of it.
pub(super) const SAMPLES: [(&str, &str); 18] = [
    (
        "English prose",
        "The meeting began a little late because two people were still on the train. We agreed \
         that the first version should be small: one page, one list and a search that works \
         offline. Everything else can wait until somebody really misses it. Maria will write down \
         what was decided and send it around before Thursday, and Jonas promised to look at the \
         slow start of the program. Nobody wanted to talk about the budget, so we moved that to \
         next week.",
    ),
    (
        "Chinese prose",
        "会议比原定时间晚了十分钟开始，因为有两位同事还在路上。大家一致认为第一个版本应该尽量小：一个页面、\
         一个列表，再加上可以离线使用的搜索功能。其余的功能等到真的有人需要时再做。小王负责整理会议纪要，\
         并在星期四之前发给所有人；老李答应去看看程序启动为什么这么慢。预算的问题没有人想讨论，所以推迟到\
         下个星期。",
    ),
    (
        "Chinese with Latin words",
        "请把 README.md 里的安装步骤更新一下：先运行 npm install，再执行 ./dev test，最后确认 CI 全部通过。\
         如果 Docker 镜像拉取失败，可以换成公司内部的 registry，或者把 timeout 调到 60 秒以上。",
    ),
    (
        "Japanese prose",
        "会議は予定より十分ほど遅れて始まりました。最初のバージョンはできるだけ小さくして、一つのページと\
         一つのリスト、それからオフラインで動く検索だけを入れることにしました。残りの機能は、本当に必要だ\
         という人が出てきてから考えます。議事録は木曜日までに全員へ送ってください。",
    ),
    (
        "Korean prose",
        "회의는 두 사람이 아직 기차에 있어서 조금 늦게 시작되었습니다. 첫 번째 버전은 작게 만들기로 했습니다. \
         한 페이지와 한 목록, 그리고 오프라인에서도 작동하는 검색이면 충분합니다. 나머지는 누군가 정말로 \
         필요하다고 할 때까지 기다릴 수 있습니다.",
    ),
    (
        "Russian prose",
        "Совещание началось немного позже, потому что двое коллег ещё ехали в поезде. Мы решили, что \
         первая версия должна быть небольшой: одна страница, один список и поиск, который работает \
         без сети. Всё остальное подождёт, пока кому-нибудь это действительно не понадобится.",
    ),
    (
        "Greek prose",
        "Η συνάντηση ξεκίνησε λίγο αργότερα, επειδή δύο συνάδελφοι ήταν ακόμη στο τρένο. Συμφωνήσαμε \
         ότι η πρώτη έκδοση πρέπει να είναι μικρή: μία σελίδα, μία λίστα και μια αναζήτηση.",
    ),
    (
        "Arabic prose",
        "بدأ الاجتماع متأخرا قليلا لأن اثنين من الزملاء كانا لا يزالان في القطار. اتفقنا على أن تكون النسخة \
         الأولى صغيرة: صفحة واحدة وقائمة واحدة وبحث يعمل دون اتصال. كل شيء آخر يمكن أن ينتظر.",
    ),
    (
        "Hebrew prose",
        "הפגישה התחילה קצת באיחור כי שני אנשים עדיין היו ברכבת. הסכמנו שהגרסה הראשונה צריכה להיות קטנה: \
         עמוד אחד, רשימה אחת וחיפוש שעובד בלי רשת.",
    ),
    (
        "Thai prose",
        "การประชุมเริ่มช้ากว่ากำหนดเล็กน้อยเพราะเพื่อนร่วมงานสองคนยังอยู่บนรถไฟ เราตกลงกันว่ารุ่นแรกควรมีขนาดเล็ก \
         มีหนึ่งหน้า หนึ่งรายการ และการค้นหาที่ใช้งานได้โดยไม่ต้องต่ออินเทอร์เน็ต",
    ),
    (
        "Hindi prose",
        "बैठक थोड़ी देर से शुरू हुई क्योंकि दो साथी अभी भी ट्रेन में थे। हमने तय किया कि पहला संस्करण छोटा होना चाहिए: \
         एक पृष्ठ, एक सूची और एक खोज जो बिना इंटरनेट के काम करे।",
    ),
    (
        "Rust",
        "/// The oldest of them, if there is one.\npub fn oldest(&self) -> Option<&Entry> {\n    \
         self.entries\n        .iter()\n        .filter(|entry| !entry.is_empty())\n        \
         .min_by_key(|entry| entry.created_at)\n}\n\nimpl From<Error> for Failure {\n    fn \
         from(error: Error) -> Self {\n        Self { code: error.code(), message: \
         error.to_string() }\n    }\n}\n",
    ),
    (
        "Python",
        "def read_config(path, default=None):\n    \"\"\"Reads the file, or gives the default.\"\"\"\n    \
         try:\n        with open(path, encoding=\"utf-8\") as handle:\n            return \
         json.load(handle)\n    except FileNotFoundError:\n        return default or {}\n\n\nif \
         __name__ == \"__main__\":\n    print(read_config(sys.argv[1]))\n",
    ),
    (
        "JSON",
        "{\"id\":\"call_8f3a\",\"type\":\"function\",\"function\":{\"name\":\"search_notes\",\"arguments\":{\"query\":\
         \"budget 2026\",\"limit\":10,\"tags\":[\"work\",\"q3\"],\"archived\":false}},\"usage\":{\"prompt_tokens\":1834,\
         \"completion_tokens\":96,\"total_tokens\":1930}}",
    ),
    (
        "Markdown table",
        "| Month | Income | Costs | Rest |\n| --- | ---: | ---: | ---: |\n| January | 12,480.50 | \
         9,311.20 | 3,169.30 |\n| February | 11,902.00 | 9,876.45 | 2,025.55 |\n| March | 13,077.75 | \
         10,204.10 | 2,873.65 |\n",
    ),
    (
        "numbers",
        "3.14159 2.71828 1.41421 1024 65536 4294967296 2026-12-01 04:13:08 +0000 192.168.0.1 \
         978-3-16-148410-0 +49 30 901820 0.000125 17:45 100% 42",
    ),
    (
        "hexadecimal and base64",
        "5f2b8c1e9a7d4036e1c0b7f8a2d93e55 c3ab8ff13720e8ad9047dd39466b3c89 \
         eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 SGVsbG8sIHRoaXMgaXMgYSBzaG9ydCB0ZXN0Lg==",
    ),
    (
        "emoji",
        "Great job 🎉🎉 see you 👋🏽 at the 🏖️! 👨‍👩‍👧 ❤️ 🇩🇪 😂😂😂 ✅ done, ❌ not done 🚀",
    ),
];
