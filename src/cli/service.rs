//! Options of the local service: `rundown demo` and `rundown serve`.

use std::env::VarError;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use secrecy::SecretString;

use super::path;
use super::words::number;
use crate::domain::text::is_number;

/// Data and behaviour of the local service.
#[derive(Args, Clone, Debug)]
pub struct ServiceOptions {
    /// Test runs to make up [0 to 5000000; default: 240]
    #[arg(long, value_name = "N", value_parser = number(0_u32, Some(5_000_000)))]
    pub runs: Option<u32>,
    /// Test suites to make up [0 to 100000]
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = number(0_u32, Some(100_000)))]
    pub suites: u32,
    /// Where the made-up data starts from; the same seed gives the same data
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(0_u64, None))]
    pub seed: u64,
    /// Milliseconds every answer is held back [0 to 60000]
    #[arg(long, value_name = "MS", default_value = "0", value_parser = milliseconds(0))]
    pub latency: Duration,
    /// Most entries in one answer, whatever is asked for [1 or more; default: no limit]
    #[arg(long, value_name = "N", value_parser = number(1_u32, None))]
    pub page_limit: Option<u32>,
    /// Answer `LIST_TEST_RUNS` as an unknown method, like a later release of the service
    #[arg(long)]
    pub without_list_test_runs: bool,
    /// Milliseconds after a write until reading shows it, like a copy of the data that lags behind [0 to 60000]
    #[arg(long, value_name = "MS", default_value = "0", value_parser = milliseconds(0))]
    pub lag: Duration,
    /// Milliseconds between two changes by another user, bot, who adds or removes a suite of some open run of the project, sub project and version in the profile [10 to 60000; default: no such user]
    #[arg(long, value_name = "MS", value_parser = milliseconds(10))]
    pub second_writer: Option<Duration>,
    /// Simulated testers record results of open runs of the profile's project, a few test cases every SECONDS [1 to 3600; without a number 3; default: nobody does]
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "3", value_parser = number(1_u64, Some(3_600)).map(Duration::from_secs))]
    pub live: Option<Duration>,
}

/// Options of `rundown demo`.
#[derive(Args, Debug)]
#[command(after_help = LIVE, mut_arg("runs", |it| it.help(RUNS)), mut_arg("live", |it| it.help(EVERY)))]
pub struct DemoOptions {
    /// Address to listen on.
    #[arg(long, help = "Address to listen on: 127.0.0.1:8090, :8090, 8090 or [::1]:8090; port 0 is any free one", value_name = "ADDR", default_value = "127.0.0.1:0", value_parser = address)]
    pub listen: SocketAddr,
    /// Database file to use and keep [default: a new one, thrown away at the end]
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub database: Option<PathBuf>,
    /// Runs as they are, with nobody at work: no release, no results that arrive, no hints for newcomers
    #[arg(long, conflicts_with = "live")]
    pub still: bool,
    /// The service inside.
    #[command(flatten)]
    pub service: ServiceOptions,
}

impl DemoOptions {
    /// Testers of the demo take a turn this often.
    const TURNS: Duration = Duration::from_secs(6);

    /// Options of the service inside.
    pub fn service(&self) -> ServiceOptions {
        let service = self.service.clone();
        if self.still {
            return service;
        }
        ServiceOptions {
            runs: Some(service.runs.unwrap_or(0)),
            live: service.live.or(Some(Self::TURNS)),
            ..service
        }
    }
}

/// Options of `rundown serve`.
#[derive(Args, Debug)]
#[command(after_help = SECRETS)]
pub struct ServeOptions {
    /// Address to listen on.
    #[arg(long, help = "Address to listen on: 127.0.0.1:8090, :8090, 8090 or [::1]:8090; without a host, this machine alone", value_name = "ADDR", default_value = "127.0.0.1:8090", value_parser = address)]
    pub listen: SocketAddr,
    /// Database file to use and keep [default: service.sqlite in the data directory of the platform]
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub database: Option<PathBuf>,
    /// The service inside.
    #[command(flatten)]
    pub service: ServiceOptions,
}

const RUNS: &str = "Test runs to make up beside those of the release [0 to 5000000; default: none, with --still 240]";
const EVERY: &str = "Simulated testers record results of open runs of the profile's project, a few test cases every \
    SECONDS [1 to 3600; without a number 3; default: 6, with --still nobody does]";

const LIVE: &str = "All data is made up: a release under way, whose testers record results while you look. So are the counts of \
    the last days, which are in a state folder that is thrown away at the end. --still shows runs on which nobody works.";

const SECRETS: &str = "The client secret and the password are made up and printed at the start, unless they are in the \
    environment variables RUNDOWN_SERVE_CLIENT_SECRET and RUNDOWN_SERVE_PASSWORD. There is no option for them: other \
    users of the machine can read command lines.";

/// Secrets of `rundown serve`; `None` has one made up.
pub struct ServeSecrets {
    /// `$RUNDOWN_SERVE_CLIENT_SECRET`.
    pub client_secret: Option<SecretString>,
    /// `$RUNDOWN_SERVE_PASSWORD`.
    pub password: Option<SecretString>,
}

impl ServeSecrets {
    /// The environment variable of the client secret.
    pub const CLIENT_SECRET: &str = "RUNDOWN_SERVE_CLIENT_SECRET";

    /// Takes them from the environment; an empty variable is as good as none. The error names the variable only.
    pub fn from_environment() -> Result<Self, String> {
        Ok(Self {
            client_secret: variable(Self::CLIENT_SECRET)?,
            password: variable("RUNDOWN_SERVE_PASSWORD")?,
        })
    }
}

fn variable(name: &str) -> Result<Option<SecretString>, String> {
    match std::env::var(name) {
        Ok(secret) if !secret.is_empty() => Ok(Some(secret.into())),
        Ok(_) | Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(format!(
            "${name} is not UTF-8 text; expected the secret, or no such variable"
        )),
    }
}

fn milliseconds(least: u64) -> impl TypedValueParser<Value = Duration> {
    number(least, Some(60_000)).map(Duration::from_millis)
}

/// An address to listen on; without a host, or with `localhost`, it is 127.0.0.1.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    const FORM: &str =
        "expected an address and a port, such as 127.0.0.1:8090, :8090, 8090 or [::1]:8090";
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let port = text.strip_prefix("localhost").unwrap_or(text);
    let port = port.strip_prefix(':').unwrap_or(port);
    if !is_number(port, 1..=usize::MAX) {
        return Err(FORM);
    }
    let port = port.parse();
    let port = port.map_err(|_| "expected a port from 0 to 65535")?;
    Ok((Ipv4Addr::LOCALHOST, port).into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::address;
    use crate::cli::{Cli, Subcommand};

    fn read(arguments: &[&str]) -> Subcommand {
        Cli::read(["rundown"].iter().chain(arguments))
            .unwrap()
            .command
            .unwrap()
    }

    #[test]
    fn defaults_of_demo() {
        let Subcommand::Demo(demo) = read(&["demo"]) else {
            panic!("demo was asked for")
        };
        assert_eq!(
            (demo.listen.to_string().as_str(), demo.database),
            ("127.0.0.1:0", None)
        );
        let service = demo.service;
        assert_eq!((service.runs, service.suites, service.seed), (None, 80, 1));
        assert_eq!(
            (
                service.latency,
                service.page_limit,
                service.without_list_test_runs
            ),
            (Duration::ZERO, None, false)
        );
        assert_eq!(
            (service.lag, service.second_writer, service.live),
            (Duration::ZERO, None, None)
        );
    }

    #[test]
    fn testers_are_at_work_in_a_demo_that_is_not_still() {
        for (arguments, runs, live) in [
            (&["demo"][..], Some(0), Some(6)),
            (&["demo", "--runs", "9", "--live", "7"], Some(9), Some(7)),
            (&["demo", "--still"], None, None),
        ] {
            let Subcommand::Demo(demo) = read(arguments) else {
                panic!("demo was asked for")
            };
            let service = demo.service();
            let live = live.map(Duration::from_secs);
            assert_eq!((service.runs, service.live), (runs, live), "{arguments:?}");
        }
        assert!(Cli::read(["rundown", "demo", "--still", "--live"]).is_err());
    }

    #[test]
    fn options_of_serve() {
        let Subcommand::Serve(serve) = read(&["serve"]) else {
            panic!("serve was asked for")
        };
        assert_eq!(serve.listen.to_string(), "127.0.0.1:8090");
        assert_eq!(serve.database, None);
        let arguments = "serve --listen :1 --database d.sqlite --runs 5000000 --suites 100000 --seed 7 --latency 60000 \
                         --page-limit 1 --without-list-test-runs --lag 1500 --second-writer 10";
        let Subcommand::Serve(serve) = read(&arguments.split_whitespace().collect::<Vec<_>>())
        else {
            panic!("serve was asked for")
        };
        assert_eq!(
            (serve.listen.port(), serve.database.as_deref()),
            (1, Some(Path::new("d.sqlite")))
        );
        let service = serve.service;
        assert_eq!(
            (service.runs, service.suites, service.seed),
            (Some(5_000_000), 100_000, 7)
        );
        let rest = (
            service.latency,
            service.page_limit,
            service.without_list_test_runs,
        );
        assert_eq!(rest, (Duration::from_mins(1), Some(1), true));
        let odd = (service.lag, service.second_writer);
        assert_eq!(
            odd,
            (Duration::from_millis(1500), Some(Duration::from_millis(10)))
        );
        for bad in [
            ["--lag", "60001"],
            ["--lag", "-1"],
            ["--second-writer", "9"],
            ["--second-writer", "60001"],
        ] {
            assert!(
                Cli::read(["rundown", "demo"].iter().chain(&bad)).is_err(),
                "{bad:?}"
            );
        }
    }

    #[test]
    fn live_takes_seconds_or_none() {
        for (arguments, seconds) in [
            (&["demo", "--live"][..], 3),
            (&["demo", "--live", "--runs", "5"], 3),
            (&["demo", "--live", "60"], 60),
        ] {
            let Subcommand::Demo(demo) = read(arguments) else {
                panic!("demo was asked for")
            };
            assert_eq!(
                demo.service.live,
                Some(Duration::from_secs(seconds)),
                "{arguments:?}"
            );
        }
        let Subcommand::Serve(serve) = read(&["serve", "--live"]) else {
            panic!("serve was asked for")
        };
        assert_eq!(serve.service.live, Some(Duration::from_secs(3)));
        for bad in ["0", "3601", "1.5", "soon", ""] {
            let error = Cli::read(["rundown", "demo", "--live", bad])
                .unwrap_err()
                .to_string();
            assert!(error.contains("--live [<SECONDS>]"), "{bad:?}: {error}");
        }
    }

    #[test]
    fn addresses_with_and_without_host() {
        let good = |text: &str| address(text).unwrap().to_string();
        assert_eq!(good("127.0.0.1:8090"), "127.0.0.1:8090");
        assert_eq!(good("0.0.0.0:1"), "0.0.0.0:1");
        assert_eq!(good("[::1]:8090"), "[::1]:8090");
        for short in [":8090", "8090", "localhost:8090"] {
            assert_eq!(good(short), "127.0.0.1:8090");
        }
        for bad in [
            "",
            ":",
            "localhost",
            "localhost8090x",
            "::1",
            "127.0.0.1",
            "65536",
            ":-1",
            "+80",
            "host:80",
            "1.2.3.4:",
        ] {
            assert!(address(bad).is_err(), "{bad:?}");
        }
    }
}
