# One script for all work on Talaria, for Windows. It says what is missing and where to get it.
#
#   .\dev.ps1 run       build it and open the window
#   .\dev.ps1 test      check, tests of the core and of the interface
#   .\dev.ps1 check     format, lints and types only
#   .\dev.ps1 fuzz      throw damaged answers of services at what reads them; or fuzz SECONDS
#   .\dev.ps1 package   an installer
#
# The tests in the real window and the measurements need Linux: run ./dev there, or under WSL.
param([string] $Verb = 'help', [Parameter(ValueFromRemainingArguments)] [string[]] $Rest)

$ErrorActionPreference = 'Stop'
Set-Location $PSScriptRoot
if (-not $env:CARGO_TARGET_DIR) { $env:CARGO_TARGET_DIR = "$env:LOCALAPPDATA\talaria\target" }

# A program that serves its own pages, as the finished one does, instead of Vite's.
$OwnPages = '--features', 'talaria-desktop/custom-protocol'

function Invoke-Stage([string] $Name, [scriptblock] $Command) {
    Write-Host "`n== $Name"
    $Watch = [Diagnostics.Stopwatch]::StartNew()
    & $Command
    if ($LASTEXITCODE) {
        Write-Host "Stopped: $Name failed."
        exit $LASTEXITCODE
    }
    Write-Host ('-- {0}: {1:n0} s' -f $Name, $Watch.Elapsed.TotalSeconds)
}

function Assert-Program([string] $Program, [string] $Remedy) {
    if (Get-Command $Program -ErrorAction SilentlyContinue) { return }
    Write-Host "$Program is missing. $Remedy"
    exit 1
}

function Initialize-Tools {
    Assert-Program cargo ('Install Rust, with the Visual Studio build tools that it asks for: ' +
        'winget install Rustlang.Rustup')
    Assert-Program npm 'Install Node.js 22 or newer: winget install OpenJS.NodeJS.LTS'
    # The lock file is kept beside what was installed from it: only a changed one installs again.
    $Mark = 'ui\node_modules\.installed-from'
    $Wanted = Get-FileHash ui\package-lock.json
    if ((Test-Path $Mark) -and (Get-FileHash $Mark).Hash -eq $Wanted.Hash) { return }
    Invoke-Stage 'What the interface is built with' { npm --prefix ui ci --no-audit --no-fund }
    Copy-Item ui\package-lock.json $Mark
}

function Invoke-Check {
    Invoke-Stage 'Format' { cargo fmt --all --check }
    Invoke-Stage 'Lints of the core' {
        cargo clippy --workspace --all-targets --locked -- -D warnings
    }
    Invoke-Stage 'Types of the interface' { npm --prefix ui run --silent check }
    Invoke-Stage 'Lints of the interface' { npm --prefix ui run --silent lint }
}

function Build-Interface { Invoke-Stage 'Interface' { npm --prefix ui run --silent build } }

switch ($Verb) {
    'run' {
        Initialize-Tools
        Build-Interface
        Invoke-Stage 'Program' { cargo build --workspace --bins @OwnPages }
        & "$env:CARGO_TARGET_DIR\debug\talaria-desktop.exe" @Rest
    }
    'test' {
        Initialize-Tools
        Invoke-Check
        Build-Interface
        Invoke-Stage 'Tests of the core' { cargo test --workspace --locked @OwnPages }
        Invoke-Stage 'Tests of the interface' { npm --prefix ui run --silent test }
        Invoke-Stage 'Tests of the components in a browser' {
            npm --prefix ui run --silent test:browser
        }
    }
    'check' {
        Initialize-Tools
        Invoke-Check
    }
    'fuzz' {
        Assert-Program cargo 'Install Rust: winget install Rustlang.Rustup'
        $env:TALARIA_FUZZ_SECONDS = if ($Rest) { $Rest[0] } else { '60' }
        Invoke-Stage 'Fuzzing' {
            cargo test --release -p talaria-provider --test it -- fuzz --nocapture --test-threads 1
        }
    }
    'package' {
        Initialize-Tools
        Invoke-Stage 'Installer' { ui\node_modules\.bin\tauri build -b nsis -- --profile shipping }
        Write-Host "It is in $env:CARGO_TARGET_DIR\shipping\bundle."
    }
    default {
        Get-Content $PSCommandPath | Select-Object -First 9 | ForEach-Object { $_ -replace '^# ?' }
    }
}
