//! The contract as TypeScript. A test compares it with the committed file, so that the window can
//! not drift from the core.

use std::collections::BTreeMap;
use std::fmt::Write;

use ts_rs::{Config, TS, TypeVisitor};

use crate::contract::{VisitTypes, visit_types};

/// The whole of `ui/src/lib/backend/bindings.ts`.
#[must_use]
pub fn bindings() -> String {
    let mut writer = Writer {
        config: Config::new().with_large_int("number"),
        declarations: BTreeMap::new(),
        commands: String::new(),
        streams: String::new(),
    };
    visit_types(&mut writer);
    writer.finish()
}

struct Writer {
    config: Config,
    declarations: BTreeMap<String, String>,
    commands: String,
    streams: String,
}

impl Writer {
    fn finish(self) -> String {
        let mut file = String::from(
            "// Generated from the Rust contract by `cargo test -p talaria-api`. Do not edit.\n\n",
        );
        for declaration in self.declarations.values() {
            file.push_str("export ");
            file.push_str(declaration);
            file.push_str("\n\n");
        }
        file.push_str("export interface Commands {\n");
        file.push_str(&self.commands);
        file.push_str("}\n\nexport interface Streams {\n");
        file.push_str(&self.streams);
        file.push_str("}\n");
        file
    }

    fn declare<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return T::visit_dependencies(self);
        }
        // A generic type is declared once, whatever it is used for.
        let name = T::ident(&self.config);
        if !self.declarations.contains_key(&name) {
            self.declarations.insert(name, T::decl(&self.config));
            T::visit_dependencies(self);
        }
        T::visit_generics(self);
    }

    fn use_type<T: TS + 'static>(&mut self) -> String {
        self.declare::<T>();
        T::visit_generics(self);
        T::name(&self.config)
    }
}

impl TypeVisitor for Writer {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.declare::<T>();
    }
}

impl VisitTypes for Writer {
    fn command<A: TS + 'static, R: TS + 'static>(&mut self, name: &'static str) {
        let (arguments, result) = (self.use_type::<A>(), self.use_type::<R>());
        let _ = writeln!(
            self.commands,
            "  {name}: {{ arguments: {arguments}; result: {result} }};"
        );
    }

    fn stream<A: TS + 'static, E: TS + 'static>(&mut self, name: &'static str) {
        let (arguments, event) = (self.use_type::<A>(), self.use_type::<E>());
        let _ = writeln!(
            self.streams,
            "  {name}: {{ arguments: {arguments}; event: {event} }};"
        );
    }

    fn event<E: TS + 'static>(&mut self) {
        self.use_type::<E>();
    }
}
