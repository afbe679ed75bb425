//! A service, and the program at it.

use portable_pty::CommandBuilder;
use rundown::local_service::{Given, LocalService, Options};
use secrecy::ExposeSecret;
use tokio::runtime::Runtime;

use crate::home::{Home, PROGRAM};
use crate::proxy::Proxy;
use crate::pty::Pty;

/// The line of a profile that knows its password.
pub const PASSWORD: &str = "password_env = \"OFFICE_PASSWORD\"\n";

/// A service with a recording proxy before it, as a profile of a config file.
pub struct Office {
    /// Service and proxy run in it.
    pub runtime: Runtime,
    pub service: LocalService,
    pub proxy: Proxy,
}

impl Office {
    pub fn open() -> Self {
        Self::with(10)
    }

    /// With so many suites.
    pub fn with(suites: u64) -> Self {
        let runtime = Runtime::new().unwrap();
        let (service, proxy) = runtime.block_on(async {
            let options = Options {
                runs: 20,
                suites,
                ..Options::default()
            };
            let service = LocalService::start(options, |_, _| {}).await.unwrap();
            let proxy = Proxy::start(&format!("http://{}", service.address())).await;
            (service, proxy)
        });
        Self {
            runtime,
            service,
            proxy,
        }
    }

    /// The program at this service, in a home that may hold drafts, in a terminal of so many columns and rows; more stands
    /// in its profile.
    pub fn start_with(&self, home: &Home, size: (u16, u16), more: &str) -> Pty {
        self.start_as(home, size, more, &[])
    }

    /// The same with arguments.
    pub fn start_as(
        &self,
        home: &Home,
        (columns, rows): (u16, u16),
        more: &str,
        arguments: &[&str],
    ) -> Pty {
        let text = self.service.profile().toml("office", Given::default());
        let direct = format!("http://{}", self.service.address());
        let text = text.replace(&direct, &self.proxy.base) + more;
        let folder = home.path().join(".config/rundown");
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("config.toml");
        std::fs::write(&file, text).unwrap();
        // Secrets stand in it: others must not read it.
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .unwrap();
        let mut command: CommandBuilder = home.command(PROGRAM, arguments);
        command.env(
            "OFFICE_PASSWORD",
            self.service.profile().password.expose_secret(),
        );
        command.env(
            "EDITOR",
            home.temporary().join("editor").display().to_string(),
        );
        Pty::start(command, columns, rows)
    }

    /// The same with a password, once the rows are there.
    pub fn start(&self, home: &Home) -> Pty {
        let mut pty = self.start_with(home, (120, 40), PASSWORD);
        // A draft that is kept is told in the line of the rows.
        pty.wait("rows or a draft", |pty| {
            let text = pty.text();
            let told = ["\nrun ", "draft is kept", "typed until", "; @ shows it"];
            text.contains(" R_") && told.iter().any(|words| text.contains(words))
        });
        // The rows of the last time are there before that.
        pty.wait_gone("signing in");
        pty.wait_gone("not signed in");
        pty
    }
}
