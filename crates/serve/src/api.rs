//! The JSON interface. `openapi.json` describes it; a test holds the two together.

use crate::data::{Data, DataError};
use crate::http::{Request, Response};
use crate::jobs::{JobError, Jobs};
use crate::pages::{PAGE, filter_of, order_of};
use crate::time::now;
use serde_json::{Value, json};
use store::{Listed, Status, StatusChange};

/// The description of the interface.
pub const OPENAPI: &str = include_str!("../assets/openapi.json");

/// The most samples and findings of one answer.
const MOST: u64 = 500;
/// The most characters of a detail.
const LONGEST: usize = 500;

/// The answer to a request whose path is below `/api/`. Access has been checked.
pub fn respond(data: &dyn Data, jobs: Option<&Jobs>, request: &Request) -> Response {
    let path: Vec<&str> = request.path.trim_matches('/').split('/').skip(1).collect();
    let is_post = request.method == "POST";
    let answer = match (is_post, path.as_slice()) {
        (false, ["openapi.json"]) => return Response::new(200, "application/json", OPENAPI),
        (false, ["events"]) => return Response::events(),
        (false, ["campaigns"]) => data.campaigns().map(|all| json!(all)),
        (false, ["campaigns", id]) => campaign(data, id, request),
        (false, ["overview"]) => overview(data),
        (false, ["findings"]) => findings(data, request),
        (false, ["findings", id]) => finding(data, id),
        (false, ["findings", id, "cases"]) => cases(data, id, request),
        (true, ["findings", id, "status"]) => return change_status(data, id, request),
        (true, ["findings", id, "jobs"]) => return add_job(data, jobs, id, request),
        (false, ["jobs"]) => Ok(json!(jobs.map(Jobs::list).unwrap_or_default())),
        (true, ["jobs", number, "stop"]) => return stop_job(jobs, number, request),
        (false, ["coverage"]) => data.covered_areas().map(|all| json!(all)),
        (false, ["seeds"]) => seeds(data, request),
        _ => Err(DataError::Missing(format!("{} {}", request.method, request.path))),
    };
    match answer {
        Ok(value) => Response::json(200, &value),
        Err(error) => failed(&error),
    }
}

/// An error as JSON.
pub fn failed(error: &DataError) -> Response {
    let status = if matches!(error, DataError::Missing(_)) { 404 } else { 500 };
    refused(status, &error.to_string())
}

fn refused(status: u16, why: &str) -> Response {
    Response::json(status, &json!({ "error": why }))
}

/// A number of the query within limits.
fn number(request: &Request, name: &str, usual: u64, most: u64) -> u64 {
    request.value(name).and_then(|text| text.parse().ok()).unwrap_or(usual).min(most)
}

fn overview(data: &dyn Data) -> Result<Value, DataError> {
    let counts = data.counts()?;
    let campaign = data.campaigns()?.into_iter().next();
    let statistics = campaign.as_ref().map(|entry| data.totals(entry.id)).transpose()?;
    let yields = counts.yields.iter().map(|((strategy, solver), findings)| json!({ "strategy": strategy, "solver": solver, "findings": findings }));
    Ok(json!({
        "campaign": campaign,
        "statistics": statistics,
        "machines": data.machines()?,
        "shared": data.shared_totals()?,
        "join": data.join(),
        "trouble": data.trouble(),
        "bugs": counts.bugs(),
        "candidates": counts.candidates(),
        "classes": counts.classes,
        "newest": counts.newest,
        "yields": yields.collect::<Vec<Value>>(),
    }))
}

/// A campaign with its statistics over time.
fn campaign(data: &dyn Data, id: &str, request: &Request) -> Result<Value, DataError> {
    let id = id.parse().map_err(|_| DataError::Missing(format!("campaign `{id}`")))?;
    let entry = data.campaign(id)?;
    let (from, to) =
        (number(request, "from", 0, u64::MAX), number(request, "to", entry.elapsed, entry.elapsed));
    let points = number(request, "points", 100, MOST) as usize;
    let samples = data.samples(id, from.min(to), to, points)?;
    let samples =
        samples.iter().map(|(elapsed, statistics)| json!({ "elapsed": elapsed, "statistics": statistics }));
    let samples: Vec<Value> = samples.collect();
    Ok(json!({ "campaign": entry, "statistics": data.totals(id)?, "samples": samples }))
}

fn entry(listed: &Listed, status: Status) -> Value {
    let mut entry = json!(listed);
    entry["status"] = status.name().into();
    entry
}

fn findings(data: &dyn Data, request: &Request) -> Result<Value, DataError> {
    let limit = number(request, "limit", PAGE, MOST);
    let page = number(request, "page", 1, 1 << 32).max(1);
    let found = data.page(&filter_of(request)?, order_of(request), (page - 1) * limit, limit)?;
    let entries: Vec<Value> = found.findings.iter().map(|(listed, status)| entry(listed, *status)).collect();
    Ok(json!({ "total": found.total, "findings": entries }))
}

fn finding(data: &dyn Data, id: &str) -> Result<Value, DataError> {
    let dossier = data.dossier(id)?;
    let status = dossier.history.first().map(|change| change.status).unwrap_or_default();
    Ok(json!({
        "listed": entry(&dossier.listed, status),
        "history": dossier.history,
        "finding": dossier.finding.as_ref().ok(),
        "script": dossier.script(),
        "case": dossier.case,
        "releases": dossier.releases,
        "merged": dossier.merged,
        "similar": dossier.similar,
        "facets": dossier.facets,
    }))
}

fn cases(data: &dyn Data, id: &str, request: &Request) -> Result<Value, DataError> {
    data.finding(id)?;
    let limit = number(request, "limit", PAGE, MOST);
    let page = number(request, "page", 1, 1 << 32).max(1);
    let (total, cases) = data.occurrences(id, (page - 1) * limit, limit)?;
    Ok(json!({ "total": total, "cases": cases }))
}

fn seeds(data: &dyn Data, request: &Request) -> Result<Value, DataError> {
    let limit = number(request, "limit", PAGE, MOST);
    let page = number(request, "page", 1, 1 << 32).max(1);
    let (total, seeds) = data.seeds((page - 1) * limit, limit)?;
    let seeds = seeds.into_iter().map(|(seed, name)| json!({ "name": name, "seed": seed }));
    Ok(json!({ "total": total, "seeds": seeds.collect::<Vec<Value>>() }))
}

/// The fields of a change by name.
fn field(request: &Request, name: &str) -> String {
    let found = request.fields().into_iter().find(|(own, _)| own == name);
    found.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
}

/// What a change answers: JSON for a program, and the page for a form without a script.
fn changed(request: &Request, status: u16, page: &str, value: &Value) -> Response {
    if request.is_json() { Response::json(status, value) } else { Response::see(page) }
}

fn page_of(id: &str) -> String {
    format!("/findings/{}", crate::http::encoded(id))
}

fn change_status(data: &dyn Data, id: &str, request: &Request) -> Response {
    let name = field(request, "status");
    let Some(status) = Status::from_name(&name) else {
        let names: Vec<&str> = Status::ALL.iter().map(|status| status.name()).collect();
        return refused(400, &format!("there is no status `{name}`: it is one of {}", names.join(", ")));
    };
    let detail = field(request, "detail");
    if let Some(needs) = status.needs().filter(|_| detail.is_empty()) {
        return refused(400, &format!("the status `{}` needs {needs}", status.words()));
    }
    if detail.chars().count() > LONGEST {
        return refused(400, "the detail is too long");
    }
    let change = StatusChange { status, detail, changed: now() };
    match data.set_status(id, &change) {
        Ok(()) => changed(request, 200, &page_of(id), &json!(change)),
        Err(error) => failed(&error),
    }
}

fn add_job(data: &dyn Data, jobs: Option<&Jobs>, id: &str, request: &Request) -> Response {
    let Some(jobs) = jobs else { return refused(409, "this server cannot run solvers") };
    if let Err(error) = data.finding(id) {
        return failed(&error);
    }
    match jobs.add(id, &field(request, "action"), &field(request, "link")) {
        Ok(job) => changed(request, 202, &format!("{}#actions", page_of(id)), &json!(job)),
        Err(error @ JobError::Invalid(_)) => refused(400, &error.to_string()),
        Err(error @ JobError::Full) => refused(409, &error.to_string()),
        Err(JobError::Store(error)) => failed(&error.into()),
    }
}

fn stop_job(jobs: Option<&Jobs>, number: &str, request: &Request) -> Response {
    let Some(jobs) = jobs else { return refused(409, "this server cannot run solvers") };
    let stopped = number
        .parse()
        .map_err(|_| DataError::Missing(format!("job `{number}`")))
        .and_then(|number| jobs.stop(number));
    match stopped {
        Ok(job) => changed(request, 200, &format!("{}#actions", page_of(&job.finding)), &json!(job)),
        Err(error) => failed(&error),
    }
}
