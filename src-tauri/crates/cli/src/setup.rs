//! Sets a model service up on a terminal, in the order of the window's guide.

use std::io::IsTerminal;

use talaria_api::{
    ApiError, ChooseSecretStore, Core, DiscoverServices, KeyInput, ListModels, LocalService,
    Preset, Protocol, ReadSetup, SaveService, ServiceView, StoreChoice, UpdateSettings, handler,
};
use talaria_domain::{ErrorCode, ModelName, ModelRef};

use crate::output::Output;
use crate::{provider, terminal};

/// Asks where the model runs, for a key and a model, then proves that it works.
pub(crate) async fn run(core: &Core, output: &Output) -> Result<(), ApiError> {
    if !std::io::stdin().is_terminal() || output.is_json() {
        return Err(ApiError::no_model());
    }
    output.line(output.words(
        "No model is set up yet. Where should it run?",
        "尚未设置模型。模型在哪里运行？",
    ));
    let places = places(core).await?;
    for (number, place) in places.iter().enumerate() {
        output.line(&format!("{:>3}  {}", number + 1, place.name(*output)));
    }
    let place = choose(output, &places).await?;
    let service = save(core, output, place).await?;
    let model = choose_model(core, output, &service, place.default_model()).await?;
    let update = UpdateSettings {
        model: Some(ModelRef {
            service: service.id,
            model,
        }),
        setup_done: Some(true),
        ..UpdateSettings::default()
    };
    handler::update_settings(core, update).await?;
    provider::test(core, output).await.map(drop)
}

/// Where a model can run.
enum Place {
    Local(LocalService),
    Known(Preset),
    Other,
}

impl Place {
    fn name(&self, output: Output) -> String {
        match self {
            Self::Local(service) => {
                format!(
                    "{} · {}",
                    service.name,
                    output.words("on this computer, no key", "本机，无需密钥")
                )
            }
            Self::Known(preset) => output.words(&preset.name, &preset.name_zh).to_owned(),
            Self::Other => output.words("Another address", "其他地址").to_owned(),
        }
    }

    fn default_model(&self) -> Option<&str> {
        match self {
            Self::Local(service) => service.models.first().map(|model| model.name.as_str()),
            Self::Known(preset) => Some(&preset.default_model),
            Self::Other => None,
        }
    }
}

async fn places(core: &Core) -> Result<Vec<Place>, ApiError> {
    let local = handler::discover_services(core, DiscoverServices {}).await?;
    let known = handler::read_setup(core, ReadSetup {}).await?.presets;
    let mut places: Vec<Place> = local.into_iter().map(Place::Local).collect();
    places.extend(known.into_iter().map(Place::Known));
    places.push(Place::Other);
    Ok(places)
}

async fn choose<'places>(
    output: &Output,
    places: &'places [Place],
) -> Result<&'places Place, ApiError> {
    loop {
        let answer = answer(output.words("Number: ", "编号：")).await?;
        let chosen = answer
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1));
        if let Some(place) = chosen.and_then(|index| places.get(index)) {
            return Ok(place);
        }
        output.aside(output.words("Choose one of the numbers above.", "请输入上面的编号之一。"));
    }
}

async fn save(core: &Core, output: &Output, place: &Place) -> Result<ServiceView, ApiError> {
    loop {
        let service = match place {
            Place::Local(local) => new_service(&local.name, &local.base_url, KeyInput::None),
            Place::Known(preset) => SaveService {
                preset: Some(preset.id.clone()),
                protocol: preset.protocol,
                ..new_service(
                    &preset.name,
                    &preset.base_url,
                    ask_key(output, &preset.key_page).await?,
                )
            },
            Place::Other => {
                let address = answer(output.words("Address: ", "地址：")).await?;
                new_service(&address, &address, ask_key(output, "").await?)
            }
        };
        match handler::save_service(core, service).await {
            Err(error) if error.code == ErrorCode::Keyring => choose_store(core, output).await?,
            Err(error) if error.code == ErrorCode::InvalidInput => output.error(error),
            saved => return saved,
        }
    }
}

fn new_service(name: &str, base_url: &str, key: KeyInput) -> SaveService {
    SaveService {
        id: None,
        name: name.to_owned(),
        preset: None,
        base_url: base_url.to_owned(),
        protocol: Protocol::OpenaiChat,
        key,
    }
}

async fn ask_key(output: &Output, page: &str) -> Result<KeyInput, ApiError> {
    if !page.is_empty() {
        output.line(&format!(
            "{} {page}",
            output.words("A key is made at", "密钥在此创建：")
        ));
    }
    let prompt = output.words(
        "Key (not shown; empty for none): ",
        "密钥（不会显示；没有则留空）：",
    );
    let value = terminal::ask_secret(prompt).await?;
    Ok(if value.expose().trim().is_empty() {
        KeyInput::None
    } else {
        KeyInput::Typed { value }
    })
}

/// There is no keyring: the user says where keys go instead.
async fn choose_store(core: &Core, output: &Output) -> Result<(), ApiError> {
    output.line(output.words(
        "The system keyring can't be used. Keep keys in\n  1  memory, for this session only\n  2  a file sealed with a passphrase",
        "无法使用系统密钥环。密钥存放于\n  1  内存，仅限本次运行\n  2  以口令加密的文件",
    ));
    let choice = match answer(output.words("Number: ", "编号：")).await?.as_str() {
        "2" => {
            let prompt = output.words("Passphrase (not shown): ", "口令（不会显示）：");
            StoreChoice::File {
                passphrase: terminal::ask_secret(prompt).await?,
            }
        }
        _ => StoreChoice::Memory,
    };
    handler::choose_secret_store(core, ChooseSecretStore { choice })
        .await
        .map(drop)
}

async fn choose_model(
    core: &Core,
    output: &Output,
    service: &ServiceView,
    default: Option<&str>,
) -> Result<ModelName, ApiError> {
    let listed = handler::list_models(
        core,
        ListModels {
            id: service.id.clone(),
        },
    )
    .await;
    match &listed {
        Ok(models) => {
            let names: Vec<&str> = models
                .iter()
                .take(30)
                .map(|model| model.name.as_str())
                .collect();
            output.line(&names.join("  "));
        }
        Err(error) => output.error(error.clone()),
    }
    let default = default.unwrap_or_default();
    let prompt = format!("{} [{default}]: ", output.words("Model", "模型"));
    loop {
        let name = answer(&prompt).await?;
        let name = if name.is_empty() { default } else { &name };
        if let Some(model) = ModelName::new(name) {
            return Ok(model);
        }
    }
}

/// A trimmed line; the end of the input gives up.
async fn answer(prompt: &str) -> Result<String, ApiError> {
    match terminal::ask(prompt).await? {
        Some(line) => Ok(line.trim().to_owned()),
        None => Err(ApiError::no_model()),
    }
}
