#include "app/search/lock_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "app/context.h"
#include "app/findings/finding_saver.h"
#include "app/output/file_names.h"
#include "app/search/campaign_jobs.h"
#include "app/search/fuzz_targets.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "reports/cause/cause.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "search/campaign/campaign.h"
#include "search/campaign/workloads.h"
#include "search/contract/contract_judge.h"

namespace lockstep::app {
namespace {

/// More bugs than these are most likely the same ones.
constexpr std::size_t bugs_made_small_max = 16;
constexpr std::size_t limits_made_small_max = 24;

/// Words alike in two causes though names and numbers differ: "a/1 slept for 5 s" and "b/2 slept
/// …".
std::string skeleton_of(const std::vector<std::string>& cause) {
  std::string skeleton;
  for (const std::string& sentence : cause) {
    bool is_name = false;
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      const char each = sentence[i];
      const bool begins_word = i == 0 || sentence[i - 1] == ' ' || sentence[i - 1] == '"';
      if (begins_word) {
        const std::size_t end = std::min(sentence.find_first_of(" ,.;:'\"", i), sentence.size());
        const std::string_view word = std::string_view(sentence).substr(i, end - i);
        is_name = word.find('/') != std::string_view::npos || word.size() == 1 ||
                  word.find_first_of("0123456789") != std::string_view::npos;
      }
      if (each == ' ') is_name = false;
      if (!is_name) skeleton += each;
    }
    break;  // the first cause is the story
  }
  return skeleton;
}

std::string skeleton_of(const reports::CampaignFinding& finding) {
  return skeleton_of(finding.cause.empty() ? std::vector{finding.violation} : finding.cause);
}

class Campaign {
 public:
  Campaign(const FuzzTarget& target, const LockCampaignPlan& plan, const Context& context)
      : target_(target),
        plan_(plan),
        context_(context),
        lock_(model::load_lock(target.scenario, context.script_folders)),
        judge_(lock_),
        engine_(context.script_folders),
        parts_(parts_of_target()) {
    for (const search::CampaignPart& part : parts_) {
      scenarios_.push_back(scenario::parse_scenario(target.scenario.path, part.text));
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
    report_.promises = lock_.promises;
    report_.runs = result.runs;
    report_.root_seed = plan_.root_seed;
    report_.strategy = search::to_string(plan_.strategy);
    report_.interrupted = result.interrupted;
    report_.survival = result.survival;
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
    const std::vector<search::Workload> workloads =
        search::workloads_of(lock_, engine_.offered(lock_), target_.scenario.lock);
    return search::parts_of(lock_, workloads);
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
    for (const search::PartFinding* bug : bugs) save_bug(*bug);
    for (const search::PartIncident& incident : result.incidents) save(incident);
    for (const search::PartFinding* limit : limits) save_limit(*limit);
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
    FindingSaver saver(scenarios_[part], folder, context_, engine_, plan_.is_over);
    saver.set_contract(&judge_);
    return saver;
  }

  [[nodiscard]] reports::CampaignFinding saved(const search::PartFinding& finding,
                                               const std::string& folder) {
    FindingSaver saver = saver_of(finding.part, folder);
    reports::CampaignFinding saved;
    static_cast<reports::SavedFinding&>(saved) =
        saver.save(finding, names_.take(name_of(finding)), plan_.root_seed);
    const search::RunRecord& shown = saved.shrunk.example;
    for (const checker::Verdict& verdict : shown.verdicts) {
      if (verdict.property == saved.property) saved.violation = reports::sanitized(verdict.summary);
    }
    saved.cause = reports::explain(shown, saved.property);
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
    if (bugs_made_small_++ >= bugs_made_small_max) return;
    reports::CampaignFinding bug = saved(finding, plan_.folder);
    bug.workload = parts_[finding.part].workload;
    mark_known(bug);
    const std::string skeleton = skeleton_of(bug);
    for (reports::CampaignFinding& other : report_.findings) {
      if (other.property != bug.property || skeleton_of(other) != skeleton) continue;
      other.finding.seen += bug.finding.seen;
      return;
    }
    report_.findings.push_back(std::move(bug));
  }

  void save_limit(const search::PartFinding& finding) {
    const bool is_small = limits_made_small_++ < limits_made_small_max && !plan_.is_over();
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
    std::string told = bug.violation + "\n";
    for (const std::string& sentence : bug.cause) told += sentence + "\n";
    for (const model::KnownFlaw& flaw : lock_.contract.known) {
      const bool is_it =
          flaw.property == bug.property &&
          std::all_of(flaw.cause.begin(), flaw.cause.end(), [&](const std::string& words) {
            return told.find(words) != std::string::npos;
          });
      if (!is_it) continue;
      bug.kind = reports::FindingKind::known;
      bug.known = flaw.issue.empty() ? flaw.what : fmt::format("{} ({})", flaw.what, flaw.issue);
      return;
    }
  }

  /// "plain-mutual-exclusion-pause"
  [[nodiscard]] std::string name_of(const search::PartFinding& finding) const {
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
  std::size_t bugs_made_small_ = 0;
  std::size_t limits_made_small_ = 0;
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
