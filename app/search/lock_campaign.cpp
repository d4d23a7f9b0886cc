#include "app/search/lock_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "app/context.h"
#include "app/findings/finding_saver.h"
#include "app/output/file_names.h"
#include "app/search/campaign_jobs.h"
#include "app/search/fuzz_targets.h"
#include "app/search/saving_time.h"
#include "app/search/small_budget.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "reports/cause/cause.h"
#include "reports/cause/known_flaws.h"
#include "reports/cause/story.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/campaign/campaign.h"
#include "search/campaign/permit_probe.h"
#include "search/campaign/workloads.h"
#include "search/contract/contract_judge.h"

namespace lockstep::app {
namespace {

/// A finding without a cause is known by what it says broke.
std::string skeleton_of(const reports::CampaignFinding& finding) {
  return reports::skeleton_of(finding.cause.empty() ? std::vector{finding.violation}
                                                    : finding.cause);
}

class Campaign {
 public:
  Campaign(const FuzzTarget& target, const LockCampaignPlan& plan, const Context& context)
      : target_(target),
        plan_(plan),
        context_(context),
        lock_(model::load_lock(*target.scenario, context.script_folders)),
        judge_(lock_),
        engine_(context.script_folders, context.programs),
        parts_(parts_of_target()) {
    for (const search::CampaignPart& part : parts_) {
      scenarios_.push_back(scenario::parse_scenario(target.scenario->path, part.text));
      scenarios_.back().expect.holds = part.judged;
    }
  }

  reports::SurvivalReport make() {
    const CampaignJobs jobs{parts_,
                            scenarios_,
                            judge_,
                            plan_.root_seed,
                            plan_.runs,
                            plan_.strategy,
                            plan_.workers,
                            context_.script_folders,
                            plan_.is_search_over,
                            plan_.report_progress};
    search::CampaignResult result = make_campaign(jobs);
    report_.name = target_.name;
    report_.lock = lock_.full_name();
    report_.contract = lock_.contract;
    report_.flaw = lock_.flaw;
    report_.promises = lock_.promises;
    report_.not_promised = model::properties_not_promised(lock_);
    report_.asked_faults = target_.faults.only;
    std::erase_if(report_.asked_faults,
                  [this](scenario::FaultKind kind) { return !target_.faults.allows(kind); });
    report_.runs = result.runs;
    report_.root_seed = plan_.root_seed;
    report_.strategy = search::to_string(plan_.strategy);
    report_.interrupted = result.interrupted;
    report_.survival = result.survival;
    if (plan_.begin_saving) time_ = plan_.begin_saving();
    save(result);
    return std::move(report_);
  }

  [[nodiscard]] std::string in_words() const {
    std::string text;
    for (const search::CampaignPart& part : parts_) {
      if (part.tier != search::Tier::without_faults) continue;
      text += fmt::format("# -- {} --\n{}\n", part.workload, part.text);
    }
    return text;
  }

 private:
  std::vector<search::CampaignPart> parts_of_target() {
    const std::vector<scenario::StepKind> offered = engine_.offered(lock_);
    const std::string& lock_name = target_.scenario->lock;
    const search::PermitsAtOnce permits =
        search::probe_permits(engine_, lock_, offered, {target_.scenario->path, lock_name});
    const std::vector<search::Workload> workloads =
        search::workloads_of(lock_, offered, lock_name, permits);
    std::vector<search::CampaignPart> parts = search::parts_of(lock_, workloads, target_.faults);
    const bool has_faults = std::any_of(parts.begin(), parts.end(), [](const auto& part) {
      return part.tier != search::Tier::without_faults;
    });
    if (!has_faults && target_.faults.is_given()) {
      throw scenario::InputError::about(
          target_.name,
          fmt::format("no fault is left to search it with{}", target_.faults.in_words()));
    }
    return parts;
  }

  void save(const search::CampaignResult& result) {
    std::vector<const search::PartFinding*> bugs;
    std::vector<const search::PartFinding*> limits;
    for (const search::PartFinding& finding : result.findings) {
      (search::is_bug(finding) ? bugs : limits).push_back(&finding);
    }
    // What takes the fewest faults first.
    const auto simpler = [](const search::PartFinding* one, const search::PartFinding* other) {
      return one->kinds.size() < other->kinds.size();
    };
    std::stable_sort(bugs.begin(), bugs.end(), simpler);
    put_repeated_last(bugs);
    std::stable_sort(limits.begin(), limits.end(), simpler);
    std::size_t left = std::min(bugs.size(), 2 * SmallBudget::bugs_max) + result.incidents.size() +
                       std::min(limits.size(), SmallBudget::limits_max);
    const auto begin_next = [&] {
      time_.begin_one_of(left);
      left -= left > 1 ? 1 : 0;
    };
    for (const search::PartFinding* bug : bugs) {
      begin_next();
      // One that can be looked at is worth more time than there is.
      if (time_.is_all_over() && budget_.has_made_bugs()) {
        tell_bug(*bug);
      } else {
        save_bug(*bug);
      }
    }
    for (const search::PartIncident& incident : result.incidents) {
      begin_next();
      save(incident);
    }
    for (const search::PartFinding* limit : limits) {
      begin_next();
      save_limit(*limit);
    }
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [](const auto& one, const auto& other) { return one.kind < other.kind; });
  }

  /// What broke alike in another workload is most likely the same: it has what time is left.
  static void put_repeated_last(std::vector<const search::PartFinding*>& bugs) {
    std::vector<const search::PartFinding*> first;
    std::vector<const search::PartFinding*> repeated;
    for (const search::PartFinding* bug : bugs) {
      const bool is_new = std::none_of(first.begin(), first.end(), [&](const auto* other) {
        return other->property == bug->property && other->kinds == bug->kinds;
      });
      (is_new ? first : repeated).push_back(bug);
    }
    bugs = std::move(first);
    bugs.insert(bugs.end(), repeated.begin(), repeated.end());
  }

  [[nodiscard]] FindingSaver saver_of(std::size_t part, const std::string& folder) {
    FindingSaver saver(scenarios_[part], folder, context_, engine_,
                       [this] { return time_.is_over(); });
    saver.set_command(plan_.command);
    saver.set_contract(&judge_);
    return saver;
  }

  [[nodiscard]] reports::CampaignFinding saved(const search::PartFinding& finding,
                                               const std::string& folder) {
    FindingSaver saver = saver_of(finding.part, folder);
    reports::CampaignFinding saved;
    static_cast<reports::SavedFinding&>(saved) = saver.save(
        finding, [this](const search::Finding& small) { return names_.take(name_of(small)); },
        plan_.root_seed);
    explain(saved);
    return saved;
  }

  /// As it was found, without files.
  [[nodiscard]] reports::CampaignFinding unsaved(const search::PartFinding& finding) {
    reports::CampaignFinding told;
    told.finding = finding;
    told.property = finding.property;
    return told;
  }

  void save_bug(const search::PartFinding& finding) {
    // What is like none of those that were made small is told all the same.
    if (!budget_.has_room_for_bug()) return tell_bug(finding);
    reports::CampaignFinding bug = saved(finding, plan_.folder);
    if (bug.kind == reports::FindingKind::known) {
      budget_.add_known_flaw();
    } else {
      budget_.add_bug();
    }
    bug.workload = parts_[finding.part].workload;
    const std::vector<checker::Property> left_behind = keep_what_breaks(bug);
    add_bug(std::move(bug));
    // What no longer breaks in the small scenario breaks for another reason.
    for (const checker::Property property : left_behind) {
      if (is_told(property)) continue;
      search::PartFinding other = finding;
      other.property = property;
      other.also.clear();
      save_bug(other);
    }
  }

  void add_bug(reports::CampaignFinding bug) {
    const std::string skeleton = skeleton_of(bug);
    for (reports::CampaignFinding& other : report_.findings) {
      if (other.property != bug.property || skeleton_of(other) != skeleton) continue;
      other.finding.seen += bug.finding.seen;
      return remove_files_of(bug);
    }
    report_.findings.push_back(std::move(bug));
  }

  /// Nobody would tell what they are of.
  static void remove_files_of(const reports::CampaignFinding& bug) {
    const std::filesystem::path scenario = bug.scenario_path;
    if (scenario.empty()) return;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(scenario.parent_path())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(scenario.stem().string() + ".")) files.push_back(entry.path());
    }
    for (const std::filesystem::path& file : files) std::filesystem::remove(file);
  }

  /// Of what else broke in the run that was found, what breaks in the small one too stays; the rest
  /// is returned.
  static std::vector<checker::Property> keep_what_breaks(reports::CampaignFinding& bug) {
    std::vector<checker::Property> rest;
    std::erase_if(bug.finding.also, [&](checker::Property property) {
      const auto& verdicts = bug.shrunk.example.verdicts;
      const bool breaks =
          std::any_of(verdicts.begin(), verdicts.end(), [&](const checker::Verdict& verdict) {
            return verdict.property == property && verdict.kind == checker::VerdictKind::violated;
          });
      if (!breaks) rest.push_back(property);
      return !breaks;
    });
    return rest;
  }

  [[nodiscard]] bool is_told(checker::Property property) const {
    return std::any_of(report_.findings.begin(), report_.findings.end(), [&](const auto& told) {
      const auto& also = told.finding.also;
      return told.kind != reports::FindingKind::limit &&
             (told.property == property ||
              std::find(also.begin(), also.end(), property) != also.end());
    });
  }

  void tell_bug(const search::PartFinding& finding) {
    reports::CampaignFinding bug = unsaved(finding);
    bug.workload = parts_[finding.part].workload;
    bug.shrunk.example = saver_of(finding.part, plan_.folder).example_of(finding, plan_.root_seed);
    explain(bug);
    bug.shrunk.example = {};
    for (reports::CampaignFinding& other : report_.findings) {
      const bool is_alike = other.kind == bug.kind && other.property == bug.property &&
                            other.finding.kinds == bug.finding.kinds;
      if (!is_alike) continue;
      other.finding.seen += bug.finding.seen;
      return;
    }
    report_.findings.push_back(std::move(bug));
  }

  /// From its example.
  void explain(reports::CampaignFinding& finding) const {
    const search::RunRecord& shown = finding.shrunk.example;
    for (const checker::Verdict& verdict : shown.verdicts) {
      if (verdict.property == finding.property) {
        finding.violation = reports::sanitized(verdict.summary);
      }
    }
    finding.cause = reports::explain(shown, finding.property);
    mark_known(finding);
  }

  void save_limit(const search::PartFinding& finding) {
    const bool is_small = budget_.has_room_for_limit() && !time_.is_all_over();
    budget_.add_limit();
    reports::CampaignFinding limit =
        is_small ? saved(finding, plan_.folder + "/limits") : unsaved(finding);
    limit.workload = parts_[finding.part].workload;
    limit.kind = reports::FindingKind::limit;
    report_.findings.push_back(std::move(limit));
  }

  void save(const search::PartIncident& incident) {
    const std::string name =
        fmt::format("{}-{}", target_.file_name, search::to_string(incident.kind));
    report_.incidents.push_back(
        saver_of(incident.part, plan_.folder).save(incident, names_.take(name), plan_.root_seed));
  }

  void mark_known(reports::CampaignFinding& bug) const {
    const model::KnownFlaw* const flaw = reports::known_flaw_of(
        lock_.contract, bug.property, reports::causes_of(bug.shrunk.example, bug.property));
    if (flaw == nullptr) return;
    bug.kind = reports::FindingKind::known;
    bug.known = flaw->issue.empty() ? flaw->what : fmt::format("{} ({})", flaw->what, flaw->issue);
  }

  /// "plain-mutual-exclusion-pause"
  [[nodiscard]] std::string name_of(const search::Finding& finding) const {
    std::string name =
        fmt::format("{}-{}", target_.file_name, checker::to_string(finding.property));
    for (const scenario::FaultKind kind : finding.kinds) {
      name += fmt::format("-{}", scenario::to_string(kind));
    }
    return name;
  }

  const FuzzTarget& target_;
  const LockCampaignPlan& plan_;
  const Context& context_;
  model::LockPackage lock_;
  search::ContractJudge judge_;
  model::Engine engine_;
  std::vector<search::CampaignPart> parts_;
  std::vector<scenario::Scenario> scenarios_;
  UniqueNames names_;
  SavingTime time_{{}};
  SmallBudget budget_;
  reports::SurvivalReport report_;
};

}  // namespace

reports::SurvivalReport search_lock(const FuzzTarget& target, const LockCampaignPlan& plan,
                                    const Context& context) {
  return Campaign(target, plan, context).make();
}

std::string campaign_in_words(const FuzzTarget& target, const Context& context) {
  const LockCampaignPlan nothing;
  return Campaign(target, nothing, context).in_words();
}

}  // namespace lockstep::app
