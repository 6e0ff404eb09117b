//! Services for Foretell in Rust, as a library (`rustc --crate-type cdylib`) or a process (`--crate-type bin`).
//! The service encodes its states, messages and actions: equal values to equal bytes. Say
//! `foretell::service!(family)` once, where `family` is a function that returns a Family. The names are those
//! of foretell_service.h, which says what each of them means.
#![allow(dead_code)]
use std::{collections::HashMap, panic::{catch_unwind, AssertUnwindSafe}, sync::{Arc, RwLock}};

pub const PER_NODE: u32 = 0; pub const PER_PAIR: u32 = 1; pub const PER_SYSTEM: u32 = 2; // Scopes.
/// Tags of a Family and of a System.
pub mod tag {
    pub const TEXT: u32 = 2; pub const VERSION: u32 = 3; pub const SCENARIO: u32 = 4; pub const BUG: u32 = 5;
    pub const PARAMETER: u32 = 6; pub const LIVE: u32 = 7; pub const NODES: u32 = 1; pub const NETWORK: u32 = 2;
    pub const NODE: u32 = 3; pub const INVARIANT: u32 = 4; pub const GOAL: u32 = 5; pub const MESSAGE_KIND: u32 = 6;
    pub const ACTION_KIND: u32 = 7; pub const FAULT_HANDLER: u32 = 8; pub const SYSTEM_FLAGS: u32 = 10;
    pub const START: u32 = 12;
}
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind { Deliver, Act, Crash, Restart, Break }
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum What { State, Message, Action }
pub struct Event<'a> { pub kind: Kind, pub peer: u32, pub body: &'a [u8] }

/// What a handler does to the world.
#[derive(Default)]
pub struct Context { choices: Vec<u32>, offered: Vec<u32>, sends: Vec<(u32, Vec<u8>)>, restarted: Vec<Vec<u8>> }
impl Context {
    pub fn send(&mut self, to: u32, message: &[u8]) { self.sends.push((to, message.to_vec())) }
    /// One of 0 .. count-1; every way is explored.
    pub fn choose(&mut self, count: u32) -> u32 {
        self.offered.push(count);
        self.choices.get(self.offered.len() - 1).copied().unwrap_or(0)
    }
    pub fn restart_timer(&mut self, action: &[u8]) { self.restarted.push(action.to_vec()) }
}

/// One node alive: all events of one request are handled by the same object.
pub trait Node {
    /// A panic is a finding. After a Crash it is what survives.
    fn handle(&mut self, event: &Event, context: &mut Context);
    fn encode(&self) -> Vec<u8>;
}
/// A service in one scenario. What is not answered has the default of the header.
pub trait System: Send + Sync {
    fn record(&self) -> Record;
    fn initial(&self, node: u32) -> Vec<u8>;
    fn wake(&self, node: u32, state: &[u8]) -> Box<dyn Node + '_>;
    fn actions(&self, _node: u32, _state: &[u8]) -> Vec<Vec<u8>> { vec![] }
    fn project(&self, _invariant: u32, _node: u32, _state: &[u8]) -> Option<Vec<u8>> { None }
    fn violates(&self, _invariant: u32, _keys: &[Option<&[u8]>]) -> bool { false }
    fn reached(&self, _goal: u32, _node: u32, _state: &[u8]) -> bool { false }
    fn kind(&self, _what: What, _body: &[u8]) -> u32 { 0 }
    /// A line, and the fields of a state.
    fn render(&self, _what: What, _node: u32, bytes: &[u8]) -> (String, Vec<(String, String)>) {
        (format!("{:?}", bytes), vec![])
    }
    /// Further ops; None: not supported.
    fn other(&self, _op: u32, _request: &mut Reader) -> Option<Vec<u8>> { None }
}
pub type Open = fn(scenario: &str, bug: &str, set: &HashMap<String, i64>) -> Result<Arc<dyn System>, String>;
pub struct Family { pub name: &'static str, pub record: Record, pub open: Open }

pub struct Reader<'a>(pub &'a [u8]);
impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> &'a [u8] { let (taken, rest) = self.0.split_at(size); self.0 = rest; taken }
    pub fn u32(&mut self) -> u32 { u32::from_le_bytes(self.take(4).try_into().unwrap()) }
    pub fn i64(&mut self) -> i64 { i64::from_le_bytes(self.take(8).try_into().unwrap()) }
    pub fn blob(&mut self) -> &'a [u8] { let size = self.u32() as usize; self.take(size) }
    pub fn text(&mut self) -> String { String::from_utf8_lossy(self.blob()).into_owned() }
    pub fn list<T>(&mut self, each: impl Fn(&mut Self) -> T) -> Vec<T> { (0..self.u32()).map(|_| each(self)).collect() }
    fn event(&mut self) -> Event<'a> {
        let kind = [Kind::Deliver, Kind::Act, Kind::Crash, Kind::Restart, Kind::Break][self.u32() as usize];
        Event { kind, peer: self.u32(), body: self.blob() }
    }
    fn what(&mut self) -> What { [What::State, What::Message, What::Action][self.u32() as usize] }
}
#[derive(Default, Clone)]
pub struct Writer(pub Vec<u8>);
impl Writer {
    pub fn raw(mut self, bytes: &[u8]) -> Self { self.0.extend_from_slice(bytes); self }
    pub fn u32(self, value: u32) -> Self { self.raw(&value.to_le_bytes()) }
    pub fn i64(self, value: i64) -> Self { self.raw(&value.to_le_bytes()) }
    pub fn blob(self, bytes: &[u8]) -> Self { self.u32(bytes.len() as u32).raw(bytes) }
    pub fn text(self, text: &str) -> Self { self.blob(text.as_bytes()) }
    pub fn list<T>(self, items: &[T], each: impl Fn(Self, &T) -> Self) -> Self { items.iter().fold(self.u32(items.len() as u32), each) }
}
/// A list of tags.
#[derive(Default, Clone)]
pub struct Record(u32, Writer);
impl Record {
    pub fn tag(self, tag: u32, value: impl FnOnce(Writer) -> Writer) -> Self {
        Record(self.0 + 1, self.1.u32(tag).blob(&value(Writer::default()).0))
    }
    /// A tag whose value is one text.
    pub fn text(self, tag: u32, text: &str) -> Self { self.tag(tag, |w| w.raw(text.as_bytes())) }
    fn write(&self, out: Writer) -> Writer { out.u32(self.0).raw(&self.1 .0) }
}

fn said(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(|s| s.to_string()));
    format!("panic: {}", text.unwrap_or_default())
}
fn run(system: &dyn System, r: &mut Reader) -> Vec<u8> {
    let (node, before, events, choices) = (r.u32(), r.blob(), r.list(|r| r.event()), r.list(|r| r.u32()));
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let (mut live, mut context) = (system.wake(node, before), Context::default());
        for event in &events {
            context = Context { choices: choices.clone(), ..Context::default() };
            live.handle(event, &mut context);
        }
        (live.encode(), context)
    }));
    let (state, c, failure) = match ran {
        Ok((state, context)) => (state, context, String::new()),
        Err(panic) => (before.to_vec(), Context::default(), said(panic)),
    };
    let out = Writer::default().blob(&state).list(&c.sends, |w, (to, body)| w.u32(*to).blob(body));
    out.list(&c.offered, |w, k| w.u32(*k)).u32(0).u32(0).text(&failure).list(&c.restarted, |w, a| w.blob(a)).0
}
pub type Systems = RwLock<HashMap<u32, Arc<dyn System>>>;
fn ask(s: &dyn System, op: u32, r: &mut Reader) -> Option<Vec<u8>> {
    let out = Writer::default();
    Some(match op {
        3 => out.blob(&s.initial(r.u32())).0,
        4 => out.list(&s.actions(r.u32(), r.blob()), |w, a| w.blob(a)).0,
        5 => run(s, r),
        7 => { let key = s.project(r.u32(), r.u32(), r.blob()); out.u32(key.is_some() as u32).blob(&key.unwrap_or_default()).0 }
        8 => {
            let (invariant, keys) = (r.u32(), r.list(|r| (r.u32(), r.blob())));
            out.u32(s.violates(invariant, &keys.iter().map(|(p, key)| (*p == 1).then(|| *key)).collect::<Vec<_>>()) as u32).0
        }
        9 => {
            let (line, fields) = s.render(r.what(), r.u32(), r.blob());
            out.text(&line).list(&fields, |w, (name, value)| w.text(name).text(value)).0
        }
        12 => out.u32(s.reached(r.u32(), r.u32(), r.blob()) as u32).0,
        13 => out.u32(s.kind(r.what(), r.blob())).0,
        _ => return s.other(op, r),
    })
}
fn dispatch(family: &Family, systems: &Systems, op: u32, r: &mut Reader) -> Option<Vec<u8>> {
    let out = Writer::default();
    if op == 0 { return Some(family.record.clone().text(1, family.name).write(out.u32(1).u32(1)).0) }
    if op == 6 { return Some(out.list(&r.list(|r| dispatch(family, systems, 5, &mut Reader(r.blob())).unwrap()), |w, one| w.blob(one)).0) }
    let number = r.u32();
    if op == 1 {
        let (_, scenario, bug) = (r.text(), r.text(), r.text());
        let set = r.list(|r| (r.text(), r.i64())).into_iter().collect();
        return Some(match (family.open)(&scenario, &bug, &set) {
            Err(why) => Record::default().text(13, &why).write(out).0,
            Ok(system) => { let record = system.record(); systems.write().unwrap().insert(number, system); record.write(out).0 }
        });
    }
    if op == 2 { systems.write().unwrap().remove(&number); return Some(vec![]) }
    let system = systems.read().unwrap().get(&number)?.clone();
    ask(&*system, op, r)
}
/// The code and the bytes of the reply.
pub fn answer(family: &Family, systems: &Systems, op: u32, request: &[u8]) -> (i64, Vec<u8>) {
    match catch_unwind(AssertUnwindSafe(|| dispatch(family, systems, op, &mut Reader(request)))) {
        Ok(Some(reply)) => (0, reply),
        Ok(None) => (-2, vec![]),
        Err(panic) => (-3, said(panic).into_bytes()),
    }
}
#[macro_export]
macro_rules! service { ($family:path) => {
    thread_local! { static FAMILY: foretell::Family = $family(); }
    static SYSTEMS: std::sync::Mutex<Option<&'static foretell::Systems>> = std::sync::Mutex::new(None);
    fn respond(op: u32, request: &[u8]) -> (i64, Vec<u8>) {
        let systems = *SYSTEMS.lock().unwrap().get_or_insert_with(|| Box::leak(Box::default()));
        FAMILY.with(|family| foretell::answer(family, systems, op, request))
    }
    #[no_mangle]
    pub extern "C" fn foretell_service_abi() -> u32 { 1 }
    /// # Safety
    /// The host promises that both ranges are there.
    #[no_mangle]
    pub unsafe extern "C" fn foretell_service_call(op: u32, input: *const u8, size: usize, out: *mut u8, room: usize) -> i64 {
        let request = if size == 0 { &[][..] } else { std::slice::from_raw_parts(input, size) };
        let (code, reply) = respond(op, request);
        if reply.len() > room { return if code == 0 { reply.len() as i64 } else { code } }
        std::ptr::copy_nonoverlapping(reply.as_ptr(), out, reply.len());
        if code != 0 && reply.len() < room { *out.add(reply.len()) = 0 }
        if code == 0 { reply.len() as i64 } else { code }
    }
    #[allow(dead_code)]
    fn main() {
        use std::io::{Read, Write};
        let (mut input, mut replies, mut header) = (std::io::stdin().lock(), std::io::stdout().lock(), [0u8; 8]);
        while input.read_exact(&mut header).is_ok() {
            let (size, op) = (u32::from_le_bytes(header[..4].try_into().unwrap()), u32::from_le_bytes(header[4..].try_into().unwrap()));
            let mut request = vec![0; size as usize];
            if input.read_exact(&mut request).is_err() { return }
            let (code, reply) = respond(op, &request);
            let frame = [&(reply.len() as u32).to_le_bytes()[..], &(code as i32).to_le_bytes(), &reply].concat();
            if replies.write_all(&frame).and_then(|_| replies.flush()).is_err() { return }
        }
    }
} }
