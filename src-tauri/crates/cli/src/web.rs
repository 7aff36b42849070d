//! `talaria web`: which service searches the web, and a search by hand.

use std::process::ExitCode;

use talaria_api::{
    ApiError, Core, ReadWebSearch, SaveWebSearch, Secret, TryWebSearch, WebSearchService,
    WebSearchView, handler,
};

use crate::arguments::WebCommand;
use crate::output::Output;
use crate::terminal;

/// Runs the command.
pub(crate) async fn run(
    core: &Core,
    output: &Output,
    command: &WebCommand,
) -> Result<ExitCode, ApiError> {
    match command {
        WebCommand::Show => {
            let view = handler::read_web_search(core, ReadWebSearch {}).await?;
            output.show_one(&view, || told(output, &view));
        }
        WebCommand::Set { service, address } => {
            set(core, output, service, address).await?;
            output.aside(output.words("Kept.", "已保存。"));
        }
        WebCommand::Remove => {
            save(core, None, "", None).await?;
            output.aside(output.words("Removed.", "已移除。"));
        }
        WebCommand::Search { query } => {
            let query = query.clone();
            let found = handler::try_web_search(core, TryWebSearch { query }).await?;
            output.show(&found, |hit| {
                format!("{}\n  {}\n  {}", hit.title, hit.url, hit.snippet)
            });
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Chooses a service. A key is only asked for where one is needed.
async fn set(core: &Core, output: &Output, id: &str, address: &str) -> Result<(), ApiError> {
    let view = handler::read_web_search(core, ReadWebSearch {}).await?;
    let needs_key = view.services.iter().any(|it| it.id == id && it.needs_key);
    let key = if needs_key {
        Some(terminal::secret(output.words("Key: ", "密钥：")).await?)
    } else {
        None
    };
    save(core, Some(id.to_owned()), address, key).await
}

async fn save(
    core: &Core,
    service: Option<String>,
    address: &str,
    key: Option<Secret<String>>,
) -> Result<(), ApiError> {
    let base_url = address.to_owned();
    let save = SaveWebSearch {
        service,
        base_url,
        key,
    };
    handler::save_web_search(core, save).await.map(drop)
}

/// One line for each service; the one in use is marked.
fn told(output: &Output, view: &WebSearchView) -> String {
    let line = |service: &WebSearchService| {
        let mark = if view.service.as_deref() == Some(&service.id) {
            '*'
        } else {
            ' '
        };
        let name = output.words(&service.name, &service.name_zh);
        format!("{mark} {:<8} {name}  {}", service.id, service.key_page)
    };
    let lines: Vec<String> = view.services.iter().map(line).collect();
    lines.join("\n")
}
