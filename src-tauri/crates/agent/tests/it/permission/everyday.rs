//! Everyday work that is not stood in the way of.

use talaria_domain::Mode;

use super::{command, is_allowed, policy, read, write};

/// Commands that are just done while acting freely.
const WORK: &[&str] = &[
    "ls",
    "ls -la src",
    "cat README.md",
    "cat README.md | head -20",
    "head -n 5 数据/报告.csv",
    "grep -rn 'TODO' src",
    "grep -r \"/api/\" src",
    "rg --files | wc -l",
    "rg 'rm -rf /' docs",
    "find . -name '*.rs'",
    "find . -name '*.rs' | xargs wc -l",
    "find . -type f -exec grep -l x {} +",
    "git status",
    "git diff HEAD~1 -- src/main.rs",
    "git log --oneline -n 5",
    "git --no-pager log",
    "git add -A && git commit -m 'Fix the /etc/shadow check; rm -rf / is quoted'",
    "git commit -m \"修复：不要运行 rm -rf /\"",
    "git commit -m 'x 👨‍👩‍👧'",
    "git checkout -b feature",
    "git switch main",
    "git stash",
    "git pull --rebase",
    "git fetch origin",
    "git clone https://example.org/x.git lib",
    "cargo build --release",
    "cargo test -p crate -- --nocapture",
    "cargo test 2>&1 | tail -40",
    "RUST_LOG=debug cargo run",
    "npm install",
    "npm ci && npm test",
    "npm run build",
    "npx vitest run src/a.test.ts",
    "pnpm lint",
    "node scripts/build.mjs",
    "node --test",
    "python3 scripts/report.py --month 11",
    "python -m pytest -q",
    "python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt",
    "pip install requests",
    "make -j4",
    "make test",
    "go test ./...",
    "mvn -q test",
    "./gradlew build",
    "./build.sh",
    "bash scripts/check.sh",
    "sh ./scripts/check.sh --fast",
    "mkdir -p out/报告 && cp a.txt out/报告/",
    "touch x && mv x y",
    "rm build/old.log",
    "rm -rf build",
    "rm -rf node_modules dist",
    "rm -f a.tmp b.tmp",
    "sed -i 's/a/b/g' src/x.txt",
    "sed -n '1,20p' src/x.txt",
    "awk -F, '{ print $2 }' a.csv | sort | uniq -c",
    "sort a.txt > b.txt",
    "echo \"hello 世界\" > hello.txt",
    "echo 'Tip: run systemctl enable foo'",
    "printf '%s\\n' a b c",
    "cat > notes.txt <<'END'\nrm -rf / is a bad idea\nEND",
    "cat > .env <<'EOF'\nKEY=your-key\nEOF",
    "for f in *.txt; do wc -l \"$f\"; done",
    "if [ -f a ]; then cat a; else echo none; fi",
    "test -d src || mkdir src",
    "tar czf out.tgz src",
    "unzip a.zip -d out",
    "curl -s https://example.org/data.json -o data.json",
    "curl -s https://example.org/data.json | jq '.items[0]'",
    "curl \"https://example.org/notes?page=2\"",
    "curl \"$TRILLIUM_ETAPI_URL/notes\"",
    "wget https://example.org/a.csv",
    "date && uname -a",
    "which python3",
    "echo $HOME",
    "echo $KEYBOARD_LAYOUT",
    "cat /usr/share/dict/words | head",
    "ls 2>/dev/null",
    "cd src && ls",
    "cd src; cat main.rs; cd ..",
    "diff a.txt b.txt",
    "dd if=/dev/zero of=disk.img bs=1M count=10",
    "chmod +x scripts/check.sh",
    "convert a.png -resize 50% b.png",
    "ffmpeg -i a.mp4 b.gif",
    "pandoc a.md -o a.docx",
    "jq '.a.b' x.json",
    "cat /work/books/one.txt",
    "cat ../books/one.txt",
    "wc -m 'file with blanks.txt'",
    "cat .env.example",
    "(exec 3<>/dev/tcp/127.0.0.1/5432) && echo up",
    "export NODE_ENV=test && npm test",
    "sleep 1; echo done",
    "time cargo check",
    "timeout 60 npm test",
    "systemctl status nginx",
    "docker ps",
    "pip config list",
];

#[test]
fn everyday_commands_are_done_while_acting_freely() {
    let policy = policy(Mode::ActFreely);
    let faults: Vec<String> = WORK
        .iter()
        .map(|text| {
            (
                text,
                talaria_agent::permission::decide("terminal", &command(text), &policy),
            )
        })
        .filter(|(_, decision)| !matches!(decision, talaria_agent::permission::Decision::Allow(_)))
        .map(|(text, decision)| format!("{text}\n    {decision:?}"))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn everyday_files_are_read_in_every_mode_and_written_when_files_are_free() {
    let paths = [
        "/work/site/README.md",
        "/work/site/src/id_rsa_parser.rs",
        "/work/site/.env.example",
        "/work/site/docs/密码学.md",
        "/work/site/src/secrets.rs",
        "/work/site/keys/release.pub",
        "/work/site/environment.ts",
        "/work/site/etc/passwd.md",
        "/work/site/.gitignore",
        "/home/lin/.local/share/talaria/files/a.txt",
    ];
    for path in paths {
        for mode in [Mode::Ask, Mode::EditFiles, Mode::ActFreely] {
            assert!(
                is_allowed(&read(path), &policy(mode)),
                "read {path} in {mode:?}"
            );
        }
        assert!(
            !is_allowed(&write(path), &policy(Mode::Ask)),
            "write {path}"
        );
        assert!(
            is_allowed(&write(path), &policy(Mode::EditFiles)),
            "write {path}"
        );
    }
}

#[test]
fn commands_that_only_look_are_free_while_files_are() {
    let policy = policy(Mode::EditFiles);
    let local = |text: &str| {
        super::of(talaria_domain::Effect::Command {
            command: text.to_owned(),
            folder: super::FOLDER.to_owned(),
            network: false,
            secrets: Vec::new(),
            sandboxed: true,
        })
    };
    for text in [
        "ls -la",
        "git status",
        "git diff | head",
        "cat a.txt | grep x",
        "rg x src",
    ] {
        assert!(is_allowed(&local(text), &policy), "{text}");
        assert!(
            !is_allowed(&command(text), &policy),
            "with the network: {text}"
        );
    }
    for text in [
        "ls > x",
        "cargo test",
        "git commit -m x",
        "./ls",
        "A=b ls",
        "find . -delete",
        "mv a b",
    ] {
        assert!(!is_allowed(&local(text), &policy), "{text}");
    }
}
